import { expect, test } from "vitest";
import { SeededRandom } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { trustedDnsName } from "../../model/dns-name.ts";
import type { ChangeGroup, NamePlan } from "../../plan/changes.ts";
import { SYNC_DEFAULTS } from "../contract/settings.ts";
import { NameLedger } from "./name-ledger.ts";

const NAME = trustedDnsName("www.example.org");

/** A ledger whose only name has failed and was then edited. */
function failedAndEdited(atLeastMs: number) {
  const clock = new VirtualClock();
  const ledger = new NameLedger(clock, new SeededRandom(), SYNC_DEFAULTS);
  ledger.fail(NAME, { code: "Throttled", message: "later" }, atLeastMs);
  ledger.mark(NAME, true);
  return { clock, ledger };
}

test("an edit forgives failures: the name is due at once", () => {
  const { ledger } = failedAndEdited(0);
  expect(ledger.hasEdits).toBe(true);
  expect(ledger.takeDue(10)).toEqual([NAME]);
});

test("S20 an edit does not forgive the patience that the provider asked for", async () => {
  const { clock, ledger } = failedAndEdited(5_000);
  await clock.advance(4_999);
  expect([ledger.hasEdits, ledger.takeDue(10), ledger.soonestMs()]).toEqual([false, [], 1]);
  await clock.advance(1);
  expect([ledger.hasEdits, ledger.takeDue(10)]).toEqual([true, [NAME]]);
});

test("D35 a write that succeeds does not end the back-off of what the provider changes", async () => {
  const clock = new VirtualClock();
  const ledger = new NameLedger(clock, new SeededRandom(), SYNC_DEFAULTS);
  const waits: number[] = [];
  ledger.mark(NAME, true);
  for (let round = 0; round < 10; round += 1) {
    await clock.advance(ledger.soonestMs());
    expect(ledger.takeDue(10)).toEqual([NAME]);
    ledger.remember(PLAN);
    ledger.applied(GROUP, true);
    expect(ledger.takeDue(10)).toEqual([NAME]);
    ledger.wasRead(NAME);
    expect(ledger.isNotConverging(PLAN)).toBe(true);
    waits.push(ledger.soonestMs());
  }
  expect(waits.slice(0, 9).every((ms, index) => ms < (waits[index + 1] ?? 0))).toBe(true);
  // A reading that agrees ends it.
  ledger.remember({ name: NAME, changes: [], holds: [] });
  ledger.applied(GROUP, true);
  ledger.wasRead(NAME);
  expect(ledger.isNotConverging(PLAN)).toBe(true);
  expect(ledger.soonestMs()).toBeLessThan(2 * SYNC_DEFAULTS.retryFirstMs);
});

test("D35 what is read at the next load only is known to diverge then", async () => {
  const clock = new VirtualClock();
  const ledger = new NameLedger(clock, new SeededRandom(), SYNC_DEFAULTS);
  const waits: number[] = [];
  const agreed = { name: NAME, changes: [], holds: [] };
  for (let load = 0; load < 3; load += 1) {
    ledger.applied(GROUP, false);
    // It is planned from what was written.
    ledger.takeDue(10);
    ledger.remember(agreed);
    await clock.advance(600_000);
    ledger.wasAllRead(clock.monotonicMs(), [NAME]);
    ledger.mark(NAME, false);
    expect(ledger.isNotConverging(PLAN)).toBe(true);
    waits.push(ledger.soonestMs());
    await clock.advance(ledger.soonestMs());
  }
  expect(waits[2]).toBeGreaterThan(2 * (waits[0] ?? 0));
  ledger.applied(GROUP, false);
  ledger.takeDue(10);
  ledger.remember(agreed);
  ledger.wasAllRead(clock.monotonicMs() + 1, []);
  expect(ledger.isNotConverging(PLAN)).toBe(false);
});

const GROUP: ChangeGroup = { name: NAME, keys: [], changes: [], preconditions: [] };
const PLAN: NamePlan = {
  name: NAME,
  changes: [
    {
      key: { name: NAME, type: "A", setIdentifier: null },
      ...{ current: null, desired: null, change: null, marker: null, proof: null },
      reason: { code: "Wanted", message: "" },
    },
  ],
  holds: [],
};

test.each([
  ["while its call was under way", true, false],
  ["at no time", false, true],
])(
  "D35 a plan after a write is an echo unless the name was edited: %s",
  (_, isEdited, isNotConverging) => {
    const ledger = new NameLedger(new VirtualClock(), new SeededRandom(), SYNC_DEFAULTS);
    ledger.mark(NAME, true);
    ledger.takeDue(10);
    if (isEdited) ledger.mark(NAME, true);
    ledger.applied(GROUP, false);
    ledger.takeDue(10);
    expect(ledger.isNotConverging(PLAN)).toBe(isNotConverging);
  },
);

test("a gate that opens while a name is being planned finds it, as it finds held names", () => {
  const ledger = new NameLedger(new VirtualClock(), new SeededRandom(), SYNC_DEFAULTS);
  ledger.mark(NAME, true);
  ledger.takeDue(10);
  expect(ledger.heldNames()).toEqual([NAME]);
  ledger.remember({ name: NAME, changes: [], holds: [] });
  expect(ledger.heldNames()).toEqual([]);
});
