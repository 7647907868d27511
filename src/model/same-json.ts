/** Equality of plain data. */
import { isFields } from "@zonekeeper/kube/objects/object-fields";

/** As JSON: absent and undefined are the same, and the order of fields does not count. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSameJson(item, other[index]))
    );
  if (!isFields(one) || !isFields(other)) return false;
  for (const name in one) if (!isSameJson(one[name], other[name])) return false;
  for (const name in other) if (one[name] === undefined && other[name] !== undefined) return false;
  return true;
}
