/**
 * Which version of a group is preferred (Kubernetes, "Versions in CustomResourceDefinitions":
 * version priority). Pure.
 */

/** `v1`, `v2beta1`. */
const KUBERNETES_VERSION = /^v(?<major>[1-9]\d*)(?:(?<stage>alpha|beta)(?<minor>[1-9]\d*))?$/;

/**
 * For sorting: stable versions first, then beta, then alpha, newer ones first; other names last, by
 * the alphabet.
 */
export function byPreference(a: string, b: string): number {
  const left = rankOf(a);
  const right = rankOf(b);
  if (left === null || right === null) {
    if (left === right) return a < b ? -1 : Number(a > b);
    return left === null ? 1 : -1;
  }
  const difference = left.map((part, index) => (right[index] ?? 0) - part);
  return difference.find((part) => part !== 0) ?? 0;
}

/** Stage, major and minor number; null = no Kubernetes version. */
function rankOf(version: string): readonly number[] | null {
  const groups = KUBERNETES_VERSION.exec(version)?.groups;
  if (groups === undefined) return null;
  const stage = { alpha: 0, beta: 1 }[groups["stage"] ?? ""] ?? 2;
  return [stage, Number(groups["major"]), Number(groups["minor"] ?? "0")];
}
