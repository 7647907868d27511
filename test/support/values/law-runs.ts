/**
 * How much of a law or an exhaustive proof is played. `ZONEKEEPER_LAWS_EACH=4` plays each fourth
 * case (`.ci/run`); without it everything is played (`npm run laws`). Read once, so that the cases
 * of one run do not depend on their order.
 */

const EACH = Math.max(1, Math.trunc(Number(process.env["ZONEKEEPER_LAWS_EACH"] ?? "1")) || 1);

/** True when this run leaves cases out: counts of cases prove nothing then. */
export const isBounded = EACH > 1;

/** The runs of a law that has `whole` runs when nothing is bounded; at least one. */
export function runsOf(whole: number): number {
  return Math.ceil(whole / EACH);
}

/**
 * Each n-th of these cases, beginning at `first`; all of them when nothing is bounded. Callers pass
 * another `first` for each group, so that a bounded run takes other cases of each.
 */
export function sampled<T>(cases: readonly T[], first = 0): readonly T[] {
  return cases.filter((_, index) => (index + first) % EACH === 0);
}
