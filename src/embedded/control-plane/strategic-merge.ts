/**
 * Strategic merge patch of built-in kinds: as a merge patch, but lists that the schema gives a merge key are
 * merged by item. Directives: `$patch`, `$retainKeys`, `$setElementOrder/…`, `$deleteFromPrimitiveList/…`.
 * Kubernetes, "Strategic Merge Patch" (community contributors/devel/sig-api-machinery).
 */
import { equalJson, isObject, type JsonObject, listAt, without } from "./json.ts";
import type { Schema } from "./schema.ts";

const ORDER = "$setElementOrder/";
const DELETE_FROM = "$deleteFromPrimitiveList/";

/** The merged value; `schema` says how lists are merged. Inputs are not changed. */
export function strategicMerge(schema: Schema, current: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  if (patch["$patch"] === "replace") return clean(without(patch, "$patch"));
  if (patch["$patch"] === "delete") return {};
  const base = retained(isObject(current) ? current : {}, patch);
  const result = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith("$")) continue;
    if (value === null) result.delete(key);
    else result.set(key, mergedField(childSchema(schema, key), base[key], value));
  }
  for (const [key, value] of Object.entries(patch))
    applyListDirective(result, { key, value }, schema);
  return Object.fromEntries(result);
}

/** An empty schema where nothing is known: then lists are replaced and objects merged. */
function childSchema(schema: Schema, key: string): Schema {
  const { properties } = schema;
  const own =
    properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const { additionalProperties } = schema;
  return own ?? (typeof additionalProperties === "object" ? additionalProperties : {});
}

/** Text, numbers and booleans replace. */
function mergedField(schema: Schema, current: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return mergedList(schema, Array.isArray(current) ? current : [], value);
  if (isObject(value)) return strategicMerge(schema, current, value);
  return value;
}

/** How a list is merged follows from its strategy and merge key. */
function mergedList(
  schema: Schema,
  current: readonly unknown[],
  patch: readonly unknown[],
): readonly unknown[] {
  const key = schema["x-kubernetes-patch-merge-key"];
  if (schema["x-kubernetes-patch-strategy"] !== "merge") return patch.map(clean);
  if (key === undefined)
    return [...current, ...patch.filter((item) => !current.some((each) => equalJson(each, item)))];
  if (
    patch.some((item) => isObject(item) && item["$patch"] === "replace" && item[key] === undefined)
  )
    return patch.filter((item) => !isObject(item) || item["$patch"] === undefined).map(clean);
  return mergedItems({ key, items: schema.items ?? {} }, current, patch);
}

/** Items are found by their key; order stays as it was, new ones come last. */
function mergedItems(
  rule: { readonly key: string; readonly items: Schema },
  current: readonly unknown[],
  patch: readonly unknown[],
): readonly unknown[] {
  const result = [...current];
  for (const item of patch) {
    if (!isObject(item)) continue;
    const matches = (each: unknown): boolean => isObject(each) && each[rule.key] === item[rule.key];
    const index = result.findIndex(matches);
    if (item["$patch"] === "delete") {
      if (index >= 0) result.splice(index, 1);
    } else if (index >= 0) result[index] = strategicMerge(rule.items, result[index], item);
    else result.push(strategicMerge(rule.items, {}, item));
  }
  return result;
}

/** Only the keys that `$retainKeys` names, if it is there. */
function retained(current: JsonObject, patch: JsonObject): JsonObject {
  if (!Array.isArray(patch["$retainKeys"])) return current;
  const kept = listAt(patch, "$retainKeys");
  return Object.fromEntries(Object.entries(current).filter(([key]) => kept.includes(key)));
}

/** Directives about a list stand beside it under a key of their own. */
function applyListDirective(
  result: Map<string, unknown>,
  directive: { readonly key: string; readonly value: unknown },
  schema: Schema,
): void {
  const { key, value } = directive;
  if (!Array.isArray(value)) return;
  if (key.startsWith(DELETE_FROM)) {
    const field = key.slice(DELETE_FROM.length);
    const list = result.get(field);
    if (Array.isArray(list))
      result.set(
        field,
        list.filter((item) => !value.some((each) => equalJson(each, item))),
      );
  }
  if (key.startsWith(ORDER)) {
    const field = key.slice(ORDER.length);
    const list = result.get(field);
    const mergeKey = childSchema(schema, field)["x-kubernetes-patch-merge-key"] ?? null;
    if (Array.isArray(list)) result.set(field, ordered(list, value, mergeKey));
  }
}

/** Items that `order` names stand in its order; others keep their place behind the one before them. */
function ordered(
  items: readonly unknown[],
  order: readonly unknown[],
  mergeKey: string | null,
): readonly unknown[] {
  const idOf = (item: unknown): string =>
    JSON.stringify(mergeKey !== null && isObject(item) ? item[mergeKey] : item) ?? "";
  const rank = new Map(order.map((item, index) => [idOf(item), index]));
  let last = -1;
  return items
    .map((item) => {
      last = rank.get(idOf(item)) ?? last;
      return { item, last };
    })
    .sort((a, b) => a.last - b.last)
    .map(({ item }) => item);
}

/** A copy without directives. */
function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, child]) => !key.startsWith("$") && child !== null)
      .map(([key, child]) => [key, clean(child)]),
  );
}
