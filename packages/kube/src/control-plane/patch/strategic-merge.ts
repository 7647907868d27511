/**
 * Strategic merge patch of built-in kinds: as a merge patch, but lists that the schema gives a
 * merge key are merged by item. Directives: `$patch`, `$setElementOrder/…`,
 * `$deleteFromPrimitiveList/…`. Kubernetes, "Strategic Merge Patch" (community
 * contributors/devel/sig-api-machinery).
 */
import { equalJson, isObject, type JsonObject, without } from "../json/json.ts";
import { childSchema, type Schema } from "../schema/schema.ts";
import { failed, type ListRule, mergedList, ordered } from "./strategic-lists.ts";

const ORDER = "$setElementOrder/";
const DELETE_FROM = "$deleteFromPrimitiveList/";

/**
 * The merged value; `schema` says how lists are merged. Inputs are not changed. Throws ApiError.
 */
export function strategicMerge(schema: Schema, current: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const directive = patch["$patch"];
  if (directive === "replace") return clean(without(patch, "$patch"));
  if (directive === "delete") return {};
  if (directive !== undefined)
    throw failed(`unknown patch type: ${JSON.stringify(directive)} in a map`);
  const result = new Map(Object.entries(isObject(current) ? current : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith("$")) continue;
    const field = { schema: childSchema(schema, key) ?? {}, order: listOf(patch, ORDER, key) };
    if (value === null) result.delete(key);
    else result.set(key, mergedField(field, result.get(key), value));
  }
  for (const key of Object.keys(patch)) applyListDirective(result, { patch, key }, schema);
  return Object.fromEntries(result);
}

/** A field with the `$setElementOrder` that the patch gives it; null = none. */
interface Field {
  readonly schema: Schema;
  readonly order: readonly unknown[] | null;
}

/** Text, numbers and booleans replace, and so do lists that are not merged. */
function mergedField(field: Field, current: unknown, value: unknown): unknown {
  if (isObject(value)) return strategicMerge(field.schema, current, value);
  if (!Array.isArray(value)) return value;
  if (field.schema["x-kubernetes-patch-strategy"] !== "merge") return value.map(clean);
  const present: readonly unknown[] = Array.isArray(current) ? current : [];
  return mergedList(listRule(field.schema), { current: present, patch: value }, field.order);
}

function listRule(schema: Schema): ListRule {
  return {
    mergeKey: schema["x-kubernetes-patch-merge-key"] ?? null,
    mergeItem: (current, item) => strategicMerge(schema.items ?? {}, current ?? {}, item),
  };
}

/** The list of a directive about a field; null = there is none. */
function listOf(patch: JsonObject, prefix: string, field: string): readonly unknown[] | null {
  const value = patch[`${prefix}${field}`];
  return Array.isArray(value) ? value : null;
}

/** Directives about a list are fields beside the list. */
function applyListDirective(
  result: Map<string, unknown>,
  directive: { readonly patch: JsonObject; readonly key: string },
  schema: Schema,
): void {
  const { patch, key } = directive;
  if (key.startsWith(DELETE_FROM)) {
    const field = key.slice(DELETE_FROM.length);
    const gone = listOf(patch, DELETE_FROM, field) ?? [];
    const list = result.get(field);
    if (Array.isArray(list))
      result.set(
        field,
        list.filter((item) => !gone.some((each) => equalJson(each, item))),
      );
  }
  if (key.startsWith(ORDER)) {
    const field = key.slice(ORDER.length);
    const wanted = listOf(patch, ORDER, field) ?? [];
    const list = result.get(field);
    // A list that the patch sets too is in order already.
    if (Array.isArray(list) && !Array.isArray(patch[field]))
      result.set(
        field,
        ordered(listRule(childSchema(schema, field) ?? {}), list, { wanted, present: list }),
      );
  }
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
