/** Z-16: how many removals pass in zones of known sizes; another limit lets others pass. */
import { approveFuse, heldSets, passFuse } from "../../../src/plan/fuse.ts";
import { input, items, opened, settled } from "../../support/values/fuse-items.ts";
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

/** Throws where an approval outlives what was shown: all objects came back, and end again. */
export function checkApprovedOnce(): void {
  const set = items(40);
  const tripped = settled(passFuse(opened(100), input({ removals: set })).state);
  const approved = approveFuse(tripped, heldSets(tripped)[0]?.hash ?? "") ?? tripped;
  const back = passFuse(approved, input({ planned: { has: () => true } })).state;
  const again = passFuse(back, input({ removals: set }));
  if (again.held.size < set.length) throw new Violation("S5: an approval outlives its set");
}

/** Throws where what ended with its definition holds other removals, or later ends (ADR 0112). */
export function checkEndedTogether(): void {
  const ended = items(8, "definition");
  const waits = settled(passFuse(opened(100), input({ removals: ended })).state);
  const others = passFuse(waits, input({ removals: items(10, false, "x") }));
  if (others.held.size > 0) throw new Violation("S5: a deleted definition holds other removals");
  const anew = passFuse(waits, input({ removals: items(1) }));
  if (anew.held.size > 0) throw new Violation("S5: an end of its own waits with its definition");
  const growing = passFuse(opened(100), input({ removals: ended })).state;
  const weak = passFuse(growing, input({ removals: items(3, true) }));
  if (weak.held.size < 3) throw new Violation("S5: a restart removes what ended with a definition");
}

/** Zone, names of the namespace, how many of them pass, are approved, and may go afterwards. */
const APPROVED = [
  [100, 100, 10, 10, 10],
  [300, 300, 0, 150, 15],
  [10_000, 100, 0, 60, 12],
] as const;

/** Throws where an approved set (ADR 0064) leaves less room, or more, than what remains allows. */
export function checkApproved(): void {
  for (const [zone, namespace, first, approved, most] of APPROVED) {
    let owned: number = zone;
    const ownedIn = () => namespace - (zone - owned);
    let state = opened(zone);
    const pass = (removals: ReturnType<typeof items>): number => {
      const verdict = passFuse(state, input({ owned, ownedIn, removals }));
      state = verdict.state;
      owned -= removals.length - verdict.held.size;
      return removals.length - verdict.held.size;
    };
    for (const one of items(first, false, "first")) pass([one]);
    const set = items(approved, false, "set");
    pass(set);
    state = settled(state);
    state = approveFuse(state, heldSets(state)[0]?.hash ?? "") ?? state;
    pass(set);
    let passed = 0;
    for (const one of items(2 * most, false, "more")) passed += pass([one]);
    if (passed !== most) throw new Violation(`S5: ${passed} pass after an approval, ${most} may`);
  }
}
