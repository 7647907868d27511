/**
 * Order of resource versions. Servers of Kubernetes 1.35 and later promise decimal numbers that
 * rise (KEP-5504), and older ones act so; anything else is opaque and has no order.
 */

const DECIMAL = /^(0|[1-9][0-9]*)$/;

/**
 * Negative, zero or positive as `a` is older than, equal to or newer than `b`; null = they have no
 * order.
 */
export function compareResourceVersions(a: string, b: string): number | null {
  if (a === b) return 0;
  if (!DECIMAL.test(a) || !DECIMAL.test(b)) return null;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

/** True only when it is certain that `a` is older than `b`. */
export function isOlder(a: string, b: string): boolean {
  const order = compareResourceVersions(a, b);
  return order !== null && order < 0;
}

/** True when versions of this server can be compared with each other. */
export function hasOrder(resourceVersion: string): boolean {
  return DECIMAL.test(resourceVersion);
}
