/** Z-16: how many removals pass in zones of known sizes; another limit lets others pass. */
import { passFuse } from "../../../src/plan/fuse.ts";
import { input, items, opened } from "../../support/values/fuse-items.ts";
import { Violation } from "../checks/checks.ts";

/** Zone, names of the namespace in it, weak or not, and how many of them may go. */
const LIMITS = [
  [1, 1, true, 0],
  [1, 1, false, 1],
  [1_000, 1_000, true, 10],
  [1_000, 1_000, false, 100],
  [1_711, 211, false, 63],
  [20, 20, true, 3],
  [20, 20, false, 10],
] as const;

/** Throws the first limit that does not hold. */
export function checkFuseLimits(): void {
  for (const [owned, inNamespace, weak, most] of LIMITS) {
    let state = opened(owned);
    const losesLastName = owned === 1;
    const grown = { owned: 2 * owned, ownedIn: () => inNamespace, losesLastName };
    state = passFuse(state, input({ ...grown, nowMs: 60_000 })).state;
    for (const one of items(inNamespace, weak))
      state = passFuse(state, input({ ...grown, nowMs: 61_000, removals: [one] })).state;
    const passed = state.passed.length;
    if (passed !== most) throw new Violation(`S5: ${passed} of ${owned} pass, ${most} may`);
  }
}
