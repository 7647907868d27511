/** S20: calls of an account against its rate, in every window there is. */
import { expect } from "vitest";

/** Fails when some window of time has more calls than burst and rate allow. `timesMs` in order. */
export function expectWithinRate(
  timesMs: readonly number[],
  { burst, perSecond }: { readonly burst: number; readonly perSecond: number },
): void {
  const worst = timesMs.reduce(
    (most, fromMs, first) =>
      timesMs.slice(first).reduce((found, toMs, index) => {
        const allowed = Math.max(1, burst) + ((toMs - fromMs) / 1000) * perSecond;
        return Math.max(found, index + 1 - allowed);
      }, most),
    Number.NEGATIVE_INFINITY,
  );
  expect(worst, "calls above the rate in the worst window").toBeLessThanOrEqual(1e-3);
}
