/** The order of texts wherever lists are sorted: the same whatever the machine's language. */

/**
 * Ordering by code unit of the text; total and stable, for sorted output. Not the canonical DNS
 * order.
 */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
