/** Equality of plain data by its JSON text; keys in another order count as different. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  // What is compared with nothing need not be written down.
  return typeof one === typeof other && JSON.stringify(one) === JSON.stringify(other);
}
