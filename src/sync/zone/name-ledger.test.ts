import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { SeededRandom } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
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
  ledger.remember(PLAN);
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
    ledger.remember(PLAN);
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
  ledger.remember(PLAN);
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
    ledger.remember(PLAN);
    if (isEdited) ledger.mark(NAME, true);
    ledger.applied(GROUP, false);
    ledger.takeDue(10);
    expect(ledger.isNotConverging(PLAN)).toBe(isNotConverging);
  },
);

const [MARKER_ONLY] = PLAN.changes;
const SET = { name: NAME, type: "A", setIdentifier: null, ttlSeconds: 300, values: ["192.0.2.1"] };
const DATA = { op: "create", next: { ...SET, properties: {}, routingPolicy: null } } as const;
const PERMIT = { is: "given", owner: "west", resource: "service/default/web" } as const;

test.each([
  ["the marker after the data", { change: DATA }, {}, false],
  ["the data after the marker of a transfer", {}, { change: DATA }, false],
  ["a permit after the data", { change: DATA }, { permit: PERMIT }, false],
  ["the permit again", { permit: PERMIT }, { permit: PERMIT }, true],
  ["the data again", { change: DATA }, { change: DATA }, true],
  ["another key", {}, { key: { name: NAME, type: "AAAA", setIdentifier: null } }, false],
] as const)(
  "D35 the plan after a write is an echo where it writes the same part: %s",
  (_, first, second, isRepeated) => {
    const plan = (fields: object): NamePlan => ({
      ...PLAN,
      changes: MARKER_ONLY === undefined ? [] : [{ ...MARKER_ONLY, ...fields }],
    });
    const ledger = new NameLedger(new VirtualClock(), new SeededRandom(), SYNC_DEFAULTS);
    ledger.takeDue(10);
    ledger.remember(plan(first));
    ledger.applied(GROUP, false);
    expect(ledger.isNotConverging(plan(second))).toBe(isRepeated);
  },
);

test("D35 data and marker in turn are an echo, too", () => {
  const ledger = new NameLedger(new VirtualClock(), new SeededRandom(), SYNC_DEFAULTS);
  const data = { ...PLAN, changes: PLAN.changes.map((one) => ({ ...one, change: DATA })) };
  const echoes = [PLAN, data, PLAN].map((plan) => {
    const isRepeated = ledger.isNotConverging(plan);
    ledger.remember(plan);
    ledger.applied(GROUP, false);
    return isRepeated;
  });
  expect(echoes).toEqual([false, false, true]);
});

test("a gate that opens while a name is being planned finds it, as it finds held names", () => {
  const ledger = new NameLedger(new VirtualClock(), new SeededRandom(), SYNC_DEFAULTS);
  ledger.mark(NAME, true);
  ledger.takeDue(10);
  expect(ledger.heldNames()).toEqual([NAME]);
  ledger.remember({ name: NAME, changes: [], holds: [] });
  expect(ledger.heldNames()).toEqual([]);
});

test("while edits wait a round takes fewer names: what it cannot send at once is planned again", () => {
  const ledger = new NameLedger(new VirtualClock(), new SeededRandom(), SYNC_DEFAULTS);
  for (let index = 0; index < 3_000; index++)
    ledger.mark(trustedDnsName(`n${index}.example.org`), index < 1_000);
  const { editedPerRoundMax: few, namesPerRoundMax: many } = SYNC_DEFAULTS;
  const sizes = [few, few, many, 0].map(() => ledger.takeDue(ledger.roundMax).length);
  expect(sizes).toEqual([few, few, many, 0]);
});
