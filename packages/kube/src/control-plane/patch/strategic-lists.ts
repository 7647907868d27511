/**
 * The lists of a strategic merge patch: items merged by key or value, and in which order they stand
 * afterwards. Kubernetes apimachinery pkg/util/strategicpatch/patch.go; community design-proposals
 * preserve-order-in-strategic-merge-patch.md. Inputs are not changed.
 */
import { ApiError } from "../errors/api-error.ts";
import { isObject, type JsonObject } from "../json/json.ts";

/** How a list of the schema is merged. */
export interface ListRule {
  /** The field that tells items apart; null = items are values. */
  readonly mergeKey: string | null;
  /** Merges a patch item into the item of the same key; `current` undefined = it is new. */
  readonly mergeItem: (current: unknown, patch: JsonObject) => unknown;
}

/** The merged list; `order` null = the patch has no `$setElementOrder`. Throws ApiError. */
export function mergedList(
  rule: ListRule,
  lists: { readonly current: readonly unknown[]; readonly patch: readonly unknown[] },
  order: readonly unknown[] | null,
): readonly unknown[] {
  const { current, patch } = lists;
  for (const item of patch) checkItem(rule, item);
  const plain = patch.filter((item) => directiveOf(item) === undefined);
  if (patch.some((item) => directiveOf(item) === "replace"))
    return plain.map((item) => (isObject(item) ? rule.mergeItem(undefined, item) : item));
  const merged = mergedItems(rule, withoutDeleted(rule, current, patch), plain);
  return ordered(rule, merged, { wanted: order ?? plain, present: current });
}

/** `$patch` of an item; undefined = it is an ordinary item. */
const directiveOf = (item: unknown): unknown => (isObject(item) ? item["$patch"] : undefined);

/**
 * An item is found by its key, so it has to have one; only the replacement of the whole list needs
 * none.
 */
function checkItem(rule: ListRule, item: unknown): void {
  // 422, as for other patches that cannot be carried out.
  if (Array.isArray(item)) throw new ApiError("Invalid", "lists of lists are not supported");
  if (rule.mergeKey === null) return;
  const directive = directiveOf(item);
  if (directive === "replace") return;
  if (directive !== undefined && directive !== "delete")
    throw failed(`unknown patch type: ${JSON.stringify(directive)} in a list`);
  if (!isObject(item) || item[rule.mergeKey] === undefined)
    throw failed(`an item of the patch does not contain declared merge key: ${rule.mergeKey}`);
}

/** Items that `$patch: delete` names go, all that have the key. */
function withoutDeleted(
  rule: ListRule,
  current: readonly unknown[],
  patch: readonly unknown[],
): readonly unknown[] {
  const gone = patch.filter((item) => directiveOf(item) === "delete").map(idOf(rule));
  return gone.length === 0 ? current : current.filter((item) => !gone.includes(idOf(rule)(item)));
}

/** Items of the patch merged into the first one of the same key; new ones last; values once. */
function mergedItems(
  rule: ListRule,
  current: readonly unknown[],
  patch: readonly unknown[],
): readonly unknown[] {
  const items = [...current];
  const indexes = new Map(indexesOf(rule, current));
  for (const item of patch) {
    const id = idOf(rule)(item);
    const index = indexes.get(id) ?? items.length;
    items[index] = isObject(item) ? rule.mergeItem(items[index], item) : item;
    indexes.set(id, index);
  }
  return items;
}

/** Equal for equal items. */
function idOf(rule: ListRule): (item: unknown) => string {
  const { mergeKey } = rule;
  return (item) =>
    JSON.stringify(mergeKey !== null && isObject(item) ? item[mergeKey] : item) ?? "";
}

/**
 * Wanted items in the wanted order, the others in the present one; of two that were both there the
 * first stays first, and an item that was not there comes before those that the patch does not
 * name.
 */
export function ordered(
  rule: ListRule,
  items: readonly unknown[],
  orders: { readonly wanted: readonly unknown[]; readonly present: readonly unknown[] },
): readonly unknown[] {
  const wanted = indexesOf(rule, orders.wanted);
  const present = indexesOf(rule, orders.present);
  const index = (indexes: ReadonlyMap<string, number>, item: unknown): number =>
    indexes.get(idOf(rule)(item)) ?? indexes.size;
  const isWanted = (item: unknown): boolean => wanted.has(idOf(rule)(item));
  const first = items.filter(isWanted).sort((a, b) => index(wanted, a) - index(wanted, b));
  const others = items.filter((item) => !isWanted(item));
  others.sort((a, b) => index(present, a) - index(present, b));
  const result: unknown[] = [];
  for (const item of first) {
    // An item that was not there has no place behind anything.
    const before = present.get(idOf(rule)(item)) ?? -1;
    while (others.length > 0 && index(present, others[0]) < before) result.push(others.shift());
    result.push(item);
  }
  return [...result, ...others];
}

/** The first place of each item. */
function indexesOf(rule: ListRule, items: readonly unknown[]): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const id = idOf(rule)(item);
    if (!indexes.has(id)) indexes.set(id, index);
  }
  return indexes;
}

/** 500 without reason, as Kubernetes answers patches that it cannot make sense of. */
export function failed(message: string): ApiError {
  return new ApiError("", message);
}
