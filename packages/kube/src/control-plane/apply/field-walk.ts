/**
 * Which fields a value has, and in which fields two values differ, by the rules of its schema.
 * Pure. Follows structured-merge-diff typed/tofieldset.go and typed/compare.go.
 */
import { equalJson, isObject } from "../json/json.ts";
import type { Schema } from "../schema/schema.ts";
import { type FieldSet, FieldSetBuilder, isEmptySet, type PathElement } from "./field-set.ts";
import { childrenOf, fieldSchema, type MergeRule, mergeRule, namedField } from "./merge-rule.ts";

/**
 * The fields that a value has. Containers that the schema names are no members: only what is in
 * them is owned.
 */
export function fieldsOf(schema: Schema, value: unknown): FieldSet {
  const fields = new FieldSetBuilder();
  gather(schema, value, [], fields);
  return fields.build();
}

function gather(
  schema: Schema,
  value: unknown,
  path: readonly PathElement[],
  fields: FieldSetBuilder,
): void {
  const rule = mergeRule(schema, value);
  if (rule.as === "leaf") fields.insert(path);
  for (const [element, child] of childrenOf(rule, value)) {
    const below = [...path, element];
    gather(child.schema, child.value, below, fields);
    // Keys of maps and empty objects are owned themselves.
    const isEmpty = isObject(child.value) && Object.keys(child.value).length === 0;
    if (rule.as === "items" || isEmpty || namedField(schema, element.slice(2)) === null)
      fields.insert(below);
  }
}

/** How `after` differs from `before`. */
export interface Comparison {
  /** Came, or have another value. */
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

/** Compares two values of a schema. */
export function compareFields(schema: Schema, before: unknown, after: unknown): Comparison {
  const walk = { changed: new FieldSetBuilder(), removed: new FieldSetBuilder() };
  compare({ schema, before, after }, [], walk);
  return { changed: walk.changed.build(), removed: walk.removed.build() };
}

interface Pair {
  readonly schema: Schema;
  /** Undefined = absent; null is a value. */
  readonly before: unknown;
  readonly after: unknown;
}

function compare(
  pair: Pair,
  path: readonly PathElement[],
  walk: Readonly<Record<keyof Comparison, FieldSetBuilder>>,
): void {
  // Most of an object is as it was: what is equal is not taken apart.
  if (equalJson(pair.before, pair.after)) return;
  const rule = commonRule(pair);
  // Containers are noted too when they come or go, so that an owner of all that was in them is one
  // of theirs.
  if (pair.after === undefined) walk.removed.insert(path);
  else if (pair.before === undefined || rule.as === "leaf") walk.changed.insert(path);
  const left = childrenOf(rule, pair.before);
  const right = childrenOf(rule, pair.after);
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    const a = left.get(element);
    const b = right.get(element);
    const schema = (b ?? a)?.schema ?? {};
    compare({ schema, before: a?.value, after: b?.value }, [...path, element], walk);
  }
}

/** Values of different forms, and two without content, are compared as one piece. */
function commonRule(pair: Pair): MergeRule {
  const { schema, before, after } = pair;
  const rule = mergeRule(schema, after ?? before);
  if (rule.as === "leaf" || mergeRule(schema, before ?? after).as !== rule.as) return LEAF;
  return hasNothing(before) && hasNothing(after) ? LEAF : rule;
}

const LEAF: MergeRule = { as: "leaf" };

/** True for empty objects and lists, and for what is neither. */
export function hasNothing(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

/** The set with those containers as members that the schema names and that have members below. */
export function withNamedFields(schema: Schema, set: FieldSet): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) {
    const name = element.startsWith("f:") ? element.slice(2) : null;
    const below = name === null ? schema.items : fieldSchema(schema, name);
    const kept = withNamedFields(below ?? {}, child);
    const isNamed = name !== null && namedField(schema, name) !== null;
    const isMember = kept.isMember || (isNamed && !isEmptySet(kept));
    children.set(element, { ...kept, isMember });
  }
  return { isMember: set.isMember, children };
}
