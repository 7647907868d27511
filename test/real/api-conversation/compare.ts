/**
 * Field by field, which parts of two answers differ. Says where, never why. Lists whose items have
 * names (objects, resources, columns, groups) are compared by name: their order is not promised by
 * the API.
 */
import { type Answer, type Json, recordOf } from "./step.ts";

/** One field that differs. `undefined` = it is not there. */
export interface Difference {
  readonly step: string;
  /**
   * `status`, `body.metadata.labels.a`, `body.items[web].spec`; `body` where the whole is of
   * another kind.
   */
  readonly path: string;
  readonly own: Json | undefined;
  readonly other: Json | undefined;
}

interface Pair {
  readonly own: Json | undefined;
  readonly other: Json | undefined;
}

type Tell = (path: string, pair: Pair) => void;

/** All differences of one step, in the order of the fields. */
export function differencesOf(step: string, own: Answer, other: Answer): readonly Difference[] {
  const found: Difference[] = [];
  const tell: Tell = (path, pair) => void found.push({ step, path, ...pair });
  if (own.status !== other.status) {
    // Bodies of different outcomes have nothing in common: one difference, not twenty.
    tell("status", { own: own.status, other: other.status });
    return found;
  }
  walk("", { own: { ...own }, other: { ...other } }, tell);
  return found;
}

function walk(path: string, pair: Pair, tell: Tell): void {
  const { own, other } = pair;
  if (Array.isArray(own) && Array.isArray(other)) {
    walkLists(path, [own, other], tell);
    return;
  }
  const left = recordOf(own);
  const right = recordOf(other);
  if (left === null || right === null) {
    if (JSON.stringify(own) !== JSON.stringify(other)) tell(path, pair);
    return;
  }
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)]))
    walk(path === "" ? key : `${path}.${key}`, { own: left[key], other: right[key] }, tell);
}

type Lists = readonly [own: readonly Json[], other: readonly Json[]];

function walkLists(path: string, [own, other]: Lists, tell: Tell): void {
  const left = keyed(own);
  const right = keyed(other);
  for (const key of new Set([...left.keys(), ...right.keys()]))
    walk(`${path}[${key}]`, { own: left.get(key), other: right.get(key) }, tell);
}

/** By name where every item has one of its own, else by position. */
function keyed(list: readonly Json[]): ReadonlyMap<string, Json> {
  const names = list.map(nameOf);
  const isNamed = names.every((name) => name !== null) && new Set(names).size === names.length;
  return new Map(list.map((item, index) => [isNamed ? String(names[index]) : String(index), item]));
}

/** An item's own name, its metadata's, or that of the object in a table's row. */
function nameOf(item: Json): string | null {
  const record = recordOf(item);
  const metadata =
    recordOf(record?.["metadata"]) ?? recordOf(recordOf(record?.["object"])?.["metadata"]);
  const name = record?.["groupVersion"] ?? metadata?.["name"] ?? record?.["name"];
  const isEvent = record?.["type"] !== undefined && record["object"] !== undefined;
  return typeof name === "string" && !isEvent ? name : null;
}
