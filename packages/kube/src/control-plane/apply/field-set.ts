/**
 * Sets of field paths, as `metadata.managedFields` has them: a tree of path elements in which some
 * nodes are members. An element is kept in its FieldsV1 form (`f:spec`, `k:{"port":80}`, `v:"a"`,
 * `i:0`). Pure; nothing is changed in place. Kubernetes, "Server-Side Apply"; structured-merge-diff
 * fieldpath/serialize-pe.go and set.go.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { jsonIn } from "@zonekeeper/base/json-text";
import { isObject, type JsonObject } from "../json/json.ts";

/** One step of a path in its FieldsV1 form. */
export type PathElement = string;

/** A node of a set; the root is the whole object. */
export interface FieldSet {
  /** True = the path of this node is in the set, not only paths below it. */
  readonly isMember: boolean;
  readonly children: ReadonlyMap<PathElement, FieldSet>;
}

/** The set without members. */
export const NO_FIELDS: FieldSet = { isMember: false, children: new Map() };

/** The element of a named field. */
export const fieldElement = (name: string): PathElement => `f:${name}`;

/** A node while it is being made. */
interface OpenNode {
  isMember: boolean;
  readonly children: Map<PathElement, OpenNode>;
}

/** Gathers paths; each walk makes its own. */
export class FieldSetBuilder {
  readonly #root: OpenNode = { isMember: false, children: new Map() };

  /** Adds a path; the empty one is ignored: a whole object has no owner. */
  insert(path: readonly PathElement[]): void {
    let node = this.#root;
    for (const element of path) {
      const child = node.children.get(element) ?? { isMember: false, children: new Map() };
      node.children.set(element, child);
      node = child;
    }
    node.isMember = path.length > 0;
  }

  /** What was gathered; nothing may be inserted afterwards. */
  build(): FieldSet {
    return this.#root;
  }
}

/** The set with these paths. */
export function setOf(paths: readonly (readonly PathElement[])[]): FieldSet {
  const fields = new FieldSetBuilder();
  for (const path of paths) fields.insert(path);
  return fields.build();
}

/** True when no path is in the set. */
export function isEmptySet(set: FieldSet): boolean {
  return !set.isMember && set.children.size === 0;
}

/** Paths that are in one of the sets. */
export function unionOf(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a)) return b;
  if (isEmptySet(b)) return a;
  const children = new Map(a.children);
  for (const [element, child] of b.children) {
    const known = children.get(element);
    children.set(element, known === undefined ? child : unionOf(known, child));
  }
  return { isMember: a.isMember || b.isMember, children };
}

/** Paths of `a` that are not in `b`; what lies below a path of `b` stays. */
export function differenceOf(a: FieldSet, b: FieldSet): FieldSet {
  return rebuilt(a, a.isMember && !b.isMember, (element, child) => {
    const other = b.children.get(element);
    return other === undefined ? child : differenceOf(child, other);
  });
}

/** Paths of `a` that are neither in `b` nor below a path of `b`. */
export function differenceBelow(a: FieldSet, b: FieldSet): FieldSet {
  return rebuilt(a, a.isMember && !b.isMember, (element, child) => {
    const other = b.children.get(element);
    if (other === undefined) return child;
    return other.isMember ? NO_FIELDS : differenceBelow(child, other);
  });
}

/** Paths that are in both sets. */
export function intersectionOf(a: FieldSet, b: FieldSet): FieldSet {
  return rebuilt(a, a.isMember && b.isMember, (element, child) => {
    const other = b.children.get(element);
    return other === undefined ? NO_FIELDS : intersectionOf(child, other);
  });
}

/** True when exactly the same paths are in both. */
export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a.isMember !== b.isMember || a.children.size !== b.children.size) return false;
  return [...a.children].every(([element, child]) => {
    const other = b.children.get(element);
    return other !== undefined && equalSets(child, other);
  });
}

/** A node with the remaining children. */
function rebuilt(
  set: FieldSet,
  isMember: boolean,
  childOf: (element: PathElement, child: FieldSet) => FieldSet,
): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) {
    const kept = childOf(element, child);
    if (!isEmptySet(kept)) children.set(element, kept);
  }
  return { isMember, children };
}

/** Every path of the set, in the order in which FieldsV1 lists them. */
export function pathsOf(set: FieldSet): readonly (readonly PathElement[])[] {
  return sortedChildren(set).flatMap(([element, child]) => [
    ...(child.isMember ? [[element]] : []),
    ...pathsOf(child).map((rest) => [element, ...rest]),
  ]);
}

/** The value of `fieldsV1`: a leaf is `{}`, `.` marks a member that has members below it. */
export function toFieldsV1(set: FieldSet): JsonObject {
  const own = set.isMember && set.children.size > 0 ? [[".", {}] as const] : [];
  const below = sortedChildren(set).map(
    ([element, child]) => [element, toFieldsV1(child)] as const,
  );
  return Object.fromEntries([...own, ...below]);
}

/** Levels of a set at most: a body that is deeper is not a set of fields. */
const DEPTH_MAX = 100;

/** The set in a `fieldsV1` value; null = it is none. */
export function fromFieldsV1(value: unknown): FieldSet | null {
  const root = readNode(value, 0);
  return root === null ? null : { isMember: false, children: root.children };
}

function readNode(value: unknown, depth: number): FieldSet | null {
  if (!isObject(value) || depth > DEPTH_MAX) return null;
  const entries = Object.entries(value).filter(([key]) => key !== ".");
  const children = new Map<PathElement, FieldSet>();
  for (const [element, below] of entries) {
    const isElement =
      /^f:/.test(element) || (/^[kvi]:/.test(element) && elementValue(element) !== undefined);
    const child = isElement ? readNode(below, depth + 1) : null;
    if (child === null) return null;
    children.set(element, child);
  }
  return { isMember: entries.length === 0 || Object.hasOwn(value, "."), children };
}

/** What follows the prefix of `k:`, `v:` and `i:`; undefined = no JSON. */
const elementValue = (element: PathElement): unknown => jsonIn(element.slice(2));

function sortedChildren(set: FieldSet): readonly (readonly [PathElement, FieldSet])[] {
  return [...set.children].sort(([a], [b]) => compareElements(a, b));
}

/** Fields, keys, values, indexes; each by its content. */
const ORDER = "fkvi";

function compareElements(a: PathElement, b: PathElement): number {
  const rank = ORDER.indexOf(a.charAt(0)) - ORDER.indexOf(b.charAt(0));
  if (rank !== 0) return rank;
  if (a.startsWith("f:")) return compareText(a, b);
  return numberIn(a) - numberIn(b) || compareText(a, b);
}

/** The first number in an element, so that port 80 comes before port 443; 0 when there is none. */
const numberIn = (element: PathElement): number =>
  Number(/^[kvi]:(?:\{"[^"]*":)?(-?\d+(?:\.\d+)?)/.exec(element)?.[1] ?? 0);

/**
 * A path as conflicts show it: `.spec.ports[port=80,protocol="TCP"].name`,
 * `.metadata.finalizers[="a"]`.
 */
export function pathText(path: readonly PathElement[]): string {
  return path.map(elementText).join("");
}

function elementText(element: PathElement): string {
  if (element.startsWith("f:")) return `.${element.slice(2)}`;
  const value = elementValue(element);
  if (element.startsWith("i:")) return `[${JSON.stringify(value)}]`;
  if (!element.startsWith("k:") || !isObject(value)) return `[=${JSON.stringify(value)}]`;
  const keys = Object.entries(value).map(([key, own]) => `${key}=${JSON.stringify(own)}`);
  return `[${keys.join(",")}]`;
}
