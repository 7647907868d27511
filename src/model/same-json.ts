/** Equality of plain data by its JSON text; keys in another order count as different. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
