/** The full pass of one zone: what it marks, and that it notices what nobody told of. */
import { expect, test } from "vitest";
import { NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import { MemorySession } from "../../../test/support/memory-provider/memory-session.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { ALL_SEEN, fakeObserver } from "../../../test/support/values/fake-observer.ts";
import { nameOf, ORIGIN, parseDesired, parseZone } from "../../../test/support/values/zone-text.ts";
import { openTxtOwnership } from "../../ownership/txt/ownership.ts";
import { AbsenceTracker } from "../absence/absence-tracker.ts";
import { AddressWaits } from "../absence/address-waits.ts";
import { ZoneTexts } from "../cache/columns/zone-texts.ts";
import { DesiredIndex } from "../cache/desired-index.ts";
import { ZoneState } from "../cache/zone-state.ts";
import type { Contribution } from "../contract/contribution.ts";
import { SYNC_DEFAULTS } from "../contract/settings.ts";
import { NO_TENANCY } from "../contract/zone.ts";
import { NameLedger } from "./name-ledger.ts";
import type { PlanInput } from "./name-planner.ts";
import { SelfCheck } from "./self-check.ts";
import { ZonePlanner } from "./zone-planner.ts";

const METRIC = "zonekeeper_self_check_missed_total";
const owners = new Set(["me"]);
const m = (name: string): string =>
  `"heritage=external-dns,external-dns/owner=me,external-dns/resource=service/default/${name}"`;

/** `www` as it is wanted, `old` that nobody wants. */
const ZONE = `www 300 A 192.0.2.1
a-www 300 TXT ${m("www")}
old 300 A 192.0.2.1
a-old 300 TXT ${m("old")}
other 300 A 192.0.2.9`;

function contributionFor(name: string): Contribution {
  const items = parseDesired(`${name} 300 A 192.0.2.1 ; from=service/default/${name} cluster=c1`);
  const object = { cluster: "c1", kind: "service", namespace: "default", name };
  return {
    object,
    generation: 1,
    deleting: false,
    found: { items, waiting: [], problems: [], complete: true },
  };
}

async function openFixture(isProven = true) {
  const clock = new VirtualClock();
  const texts = new ZoneTexts();
  const index = new DesiredIndex(texts);
  const ownership = openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (owner) => owners.has(owner) });
  const state = new ZoneState({ apex: ORIGIN, ownership, owners, texts, clock });
  await state.load(parseZone(ZONE), new Set());
  const session = new MemorySession({
    zones: () => [],
    faults: NO_FAULTS,
    environment: { clock, dryRun: false },
  });
  const object = () => (isProven ? ("absent" as const) : ("alive" as const));
  const input: PlanInput = {
    zoneInput: {
      key: { account: "a", zone: ORIGIN },
      zone: { id: ORIGIN, name: ORIGIN, providerType: "memory", endpoint: "", view: "" },
      session,
      ownership,
      policy: "sync",
      adoption: { mode: "never" },
      managedTypes: new Set(["A", "TXT"]),
      defaultTtlSeconds: 300,
    },
    identity: { owners, mainOwner: "me", clusterRank: {} },
    index,
    absences: new AbsenceTracker({
      observer: fakeObserver(object),
      waits: new AddressWaits(clock, null),
      recordsAt: () => null,
      sightings: ALL_SEEN,
    }),
    state,
    tenancy: NO_TENANCY,
    elsewhere: { wants: () => false, inOtherZones: () => [] },
  };
  const ledger = new NameLedger(clock, new SeededRandom(), SYNC_DEFAULTS);
  const planner = new ZonePlanner({ apex: ORIGIN, index, texts, ledger, clock });
  return { clock, index, state, input, ledger, planner };
}

test("the full pass marks what differs and nothing else", async () => {
  const { index, input, ledger, planner } = await openFixture();
  for (const name of ["www", "new"]) index.put(contributionFor(name));
  await planner.markAll(input, true);
  const due = ledger.takeDue(10);
  expect([...due].sort()).toEqual([nameOf("new"), nameOf("old")]);
  const plans = await planner.plansOf([...due, nameOf("www"), nameOf("other")], input);
  const made = plans.map(({ name, changes }) => [name, changes[0]?.change?.op ?? "nothing"]);
  expect(Object.fromEntries(made)).toEqual({
    [nameOf("new")]: "create",
    [nameOf("old")]: "remove",
    [nameOf("www")]: "nothing",
    [nameOf("other")]: "nothing",
  });
});

test.each([
  ["a removal", true],
  ["a hold", false],
])(
  "%s that no change told of is found by the self-check, planned and counted",
  async (_, proven) => {
    const { clock, index, input, ledger, planner } = await openFixture(proven);
    index.put(contributionFor("www"));
    const metrics = new MemoryMetrics({ mayMiss: true });
    const log = new MemoryLog();
    const check = new SelfCheck({ planner, ledger, clock, log, metrics, everyMs: 1_000 });
    expect(check.dueInMs()).toBe(1_000);
    check.run(input);
    expect(metrics.value(METRIC)).toBe(1);
    expect(log.lines).toMatchObject([
      { level: "error", fields: { name: nameOf("old"), names: 1 } },
    ]);
    expect(ledger.takeDue(10)).toEqual([nameOf("old")]);
  },
);

test("what the ledger knows is not missed", async () => {
  const { clock, index, input, ledger, planner } = await openFixture();
  index.put(contributionFor("www"));
  ledger.mark(nameOf("old"), true);
  const metrics = new MemoryMetrics();
  const check = new SelfCheck({
    planner,
    ledger,
    clock,
    log: new MemoryLog(),
    metrics,
    everyMs: 1,
  });
  check.run(input);
  check.run(null);
  expect(metrics.value(METRIC)).toBe(0);
});

test("what moved and is as wanted is only reported", async () => {
  const { index, input, ledger, planner } = await openFixture();
  index.put(contributionFor("www"));
  const moved = new Set(["www", "old", "other"].map(nameOf));
  expect(planner.markMoved(moved, input)).toEqual(new Set([nameOf("www"), nameOf("other")]));
  expect(ledger.takeDue(10)).toEqual([nameOf("old")]);
});
