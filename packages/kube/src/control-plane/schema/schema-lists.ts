/**
 * Lists of the types set and map hold each item or key once (Kubernetes, "Merge strategy":
 * list-type). Pure.
 */
import type { FieldError } from "../errors/api-error.ts";
import { isObject, type JsonObject } from "../json/json.ts";
import type { Schema } from "./schema.ts";

/**
 * Field errors of items that occur earlier in the list. Empty = none, or the list has no such type.
 */
export function duplicatesIn(
  schema: Schema,
  value: readonly unknown[],
  path: string,
): readonly FieldError[] {
  const type = schema["x-kubernetes-list-type"];
  if (type !== "set" && type !== "map") return [];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const seen = new Set<string>();
  return value.flatMap((item, index): readonly FieldError[] => {
    const shown = type === "set" || !isObject(item) ? item : keysOf(item, keys);
    const id = canonicalJson(shown);
    const field = `${path}[${index}]`;
    if (seen.has(id)) return [{ field, reason: "FieldValueDuplicate", value: shown, detail: "" }];
    seen.add(id);
    return [];
  });
}

/** The keys that make an item of a map list unique; absent ones are omitted. */
export function keysOf(item: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key]]),
  );
}

/** JSON with sorted keys: equal for values that are equal. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, child: unknown) => {
    if (!isObject(child)) return child;
    return Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
