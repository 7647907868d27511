/**
 * How the schema has a value merged: one piece, a map whose fields each have owners, or a list
 * whose items have: `x-kubernetes-list-type`, `-list-map-keys` and `-map-type`. Pure.
 */
import { isObject } from "../json/json.ts";
import { METADATA_SCHEMA } from "../objects/metadata.ts";
import type { ServedKind } from "../objects/served-kind.ts";
import { childSchema, type Schema } from "../schema/schema.ts";
import { fieldElement, type PathElement } from "./field-set.ts";

/** How one value is merged. */
export type MergeRule =
  /** Scalars and atomic lists and maps: one owner for the whole. */
  | { readonly as: "leaf" }
  | { readonly as: "map"; readonly schema: Schema }
  /** `keys` empty = a set, whose items are their own keys. */
  | { readonly as: "items"; readonly keys: readonly string[]; readonly items: Schema };

const LEAF: MergeRule = { as: "leaf" };

/**
 * Where nothing is declared: objects are merged, lists are one piece (structured-merge-diff,
 * "deduced" types).
 */
const UNDECLARED: Schema = { "x-kubernetes-preserve-unknown-fields": true };

/** The schema of whole objects of a kind, with the fields that all kinds have. */
export function wholeSchema(kind: ServedKind): Schema {
  const { properties } = kind.schema;
  const text: Schema = { type: "string" };
  return {
    ...kind.schema,
    properties: { ...properties, apiVersion: text, kind: text, metadata: METADATA_SCHEMA },
  };
}

/** The rule for a value; one that is not of the schema's form is a leaf. */
export function mergeRule(schema: Schema, value: unknown): MergeRule {
  if (Array.isArray(value)) return listRule(schema);
  const isGranular =
    schema.type === "object"
      ? schema["x-kubernetes-map-type"] !== "atomic"
      : schema.type === undefined && schema["x-kubernetes-preserve-unknown-fields"] === true;
  return isGranular && isObject(value) ? { as: "map", schema } : LEAF;
}

function listRule(schema: Schema): MergeRule {
  const items = schema.items ?? UNDECLARED;
  const type = schema["x-kubernetes-list-type"];
  if (type === "set") return { as: "items", keys: [], items };
  if (type !== "map") return LEAF;
  return { as: "items", keys: schema["x-kubernetes-list-map-keys"] ?? [], items };
}

/** The schema of a field; null = the field is not declared. */
export function fieldSchema(schema: Schema, name: string): Schema | null {
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const undeclared = isOpen || schema.additionalProperties === true ? UNDECLARED : null;
  return childSchema(schema, name) ?? undeclared;
}

/** The schema of a field that the schema names, unlike the keys of a map; null = it does not. */
export function namedField(schema: Schema, name: string): Schema | null {
  const { properties = {} } = schema;
  return Object.hasOwn(properties, name) ? (properties[name] ?? null) : null;
}

/**
 * The children of a container by path element; of equal items the first. Other values have none.
 */
export function childrenOf(rule: MergeRule, value: unknown): ReadonlyMap<PathElement, Child> {
  const children = new Map<PathElement, Child>();
  if (rule.as === "map" && isObject(value))
    for (const [name, child] of Object.entries(value))
      children.set(fieldElement(name), {
        value: child,
        schema: fieldSchema(rule.schema, name) ?? UNDECLARED,
      });
  if (rule.as === "items" && Array.isArray(value))
    for (const child of value) {
      const element = itemElement(rule, child);
      if (!children.has(element)) children.set(element, { value: child, schema: rule.items });
    }
  return children;
}

/** A value inside a container with the schema that it follows. */
export interface Child {
  readonly value: unknown;
  readonly schema: Schema;
}

/**
 * The element of a list item: its keys in alphabetical order, defaults filled in, or the item
 * itself.
 */
export function itemElement(
  rule: { readonly keys: readonly string[]; readonly items: Schema },
  item: unknown,
): PathElement {
  if (rule.keys.length === 0 || !isObject(item)) return `v:${JSON.stringify(item) ?? "null"}`;
  const keys = [...rule.keys]
    .sort()
    .map((key) => [key, item[key] ?? namedField(rule.items, key)?.default] as const)
    .filter(([, value]) => value !== undefined);
  return `k:${JSON.stringify(Object.fromEntries(keys))}`;
}
