/**
 * A full plan of a zone of 1 000 000 owned record sets, wanted and standing
 * (docs/architecture.md#budgets), in a process of its own: its time, the peak of resident memory
 * with the load, and how long the event loop stood still. Each record set has its TXT marker, so
 * that the zone holds twice as many. The engine's own parts, put together here without provider and
 * reports.
 */
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { RealClock } from "../src/app/ports/real-clock.ts";
import { RealRandom } from "../src/app/ports/real-crypto.ts";
import { openTxtOwnership } from "../src/ownership/txt/ownership.ts";
import { AbsenceTracker } from "../src/sync/absence/absence-tracker.ts";
import { AddressWaits } from "../src/sync/absence/address-waits.ts";
import { ZoneTexts } from "../src/sync/cache/columns/zone-texts.ts";
import { DesiredIndex } from "../src/sync/cache/desired-index.ts";
import { ZoneState } from "../src/sync/cache/zone-state.ts";
import { SYNC_DEFAULTS } from "../src/sync/contract/settings.ts";
import { NO_TENANCY } from "../src/sync/contract/zone.ts";
import { NameLedger } from "../src/sync/zone/name-ledger.ts";
import { ZonePlanner } from "../src/sync/zone/zone-planner.ts";
import { fakeObserver } from "../test/support/values/fake-observer.ts";
import { BigZoneSession, bigZoneSets, contributionAt, OWNER } from "./support/big-zone-session.ts";
import { inMs, percentile, report } from "./support/report.ts";

const SETS = Number(process.env["BENCH_SETS"] ?? 1_000_000);
const CREATES = SETS / 200;
const UPDATES = SETS / 100;
const DELETES = SETS / 200;
const PASSES = 5;
const PLAN_BUDGET_MS = 300;
const PEAK_BUDGET_MB = 800;
const APEX = trustedDnsName("example.org");

const texts = new ZoneTexts();
const index = new DesiredIndex(texts);
const owners = new Set([OWNER]);
const ownership = openTxtOwnership({ apex: APEX, isOwnedByUs: (owner) => owner === OWNER });
const clock = new RealClock();
const state = new ZoneState({ apex: APEX, ownership, owners, texts, clock });
const absences = new AbsenceTracker({
  observer: fakeObserver("absent"),
  waits: new AddressWaits(clock, null),
  recordsAt: () => null,
});
const input = {
  zoneInput: {
    key: { account: "bench", zone: APEX },
    zone: { id: APEX, name: APEX, providerType: "memory", endpoint: "", view: "" },
    session: new BigZoneSession(APEX, 0),
    ownership,
    policy: "sync" as const,
    adoption: { mode: "never" as const },
    managedTypes: new Set(["A", "AAAA", "CNAME", "TXT"]),
    defaultTtlSeconds: 300,
  },
  identity: { owners, mainOwner: OWNER, clusterRank: {} },
  index,
  absences,
  state,
  tenancy: NO_TENANCY,
  elsewhere: { wants: () => false, inOtherZones: () => [] },
};

const stalls = monitorEventLoopDelay({ resolution: 5 });
stalls.enable();
const loadStart = performance.now();
const loadCpu = process.cpuUsage();
// The first ones stand and are not wanted, the last ones are wanted and do not stand, some in
// between are to change.
await state.load(bigZoneSets(APEX, SETS), new Set());
const foldedMs = performance.now() - loadStart;
const readStallMs = stalls.max / 1e6;
for (let at = DELETES; at < SETS + CREATES; at++) {
  const address = at < DELETES + UPDATES ? "192.0.2.2" : "192.0.2.1";
  const contribution = contributionAt(at, address, 1);
  absences.contributed(contribution);
  index.put(contribution);
  if (at % 1_000 === 0) await nextTurn();
}
const loadedMs = performance.now() - loadStart;
const loadedCpu = process.cpuUsage(loadCpu);

const ledgerOf = (): NameLedger => new NameLedger(clock, new RealRandom(), SYNC_DEFAULTS);
const first = await pass(Number.POSITIVE_INFINITY);
stalls.reset();
const passes: Awaited<ReturnType<typeof pass>>[] = [];
const cpuBefore = process.cpuUsage();
for (let count = 0; count < PASSES; count++)
  passes.push(await pass(SYNC_DEFAULTS.namesPerRoundMax));
const { user, system } = process.cpuUsage(cpuBefore);
const cpuMs = (user + system) / 1000 / PASSES;
const passStallMs = stalls.max / 1e6;
const peakMb = statusMb("VmHWM");
const settledMb = statusMb("VmRSS");

const median = (of: (one: (typeof passes)[number]) => number): number =>
  percentile(passes.map(of), 0.5);
const planMs = median(({ comparedMs, plannedMs }) => comparedMs + plannedMs);
const right = first.changes === CREATES + UPDATES + DELETES;
report(
  `million: full plan of a zone of ${SETS} record sets, each wanted and standing with its marker`,
  [
    {
      what: "full plan: compare all, plan what differs; median",
      value: inMs(planMs),
      budget: `< ${PLAN_BUDGET_MS} ms`,
      met: planMs < PLAN_BUDGET_MS,
    },
    { what: "of which comparing all names", value: inMs(median((one) => one.comparedMs)) },
    {
      what: `of which planning the ${first.changes} that differ`,
      value: inMs(median((one) => one.plannedMs)),
    },
    { what: "CPU of one full plan, all threads", value: inMs(cpuMs) },
    {
      what: "first full plan, asks the provider how it reads back",
      value: inMs(first.comparedMs + first.plannedMs),
    },
    {
      what: `changes found of ${CREATES + UPDATES + DELETES}`,
      value: String(first.changes),
      budget: "all",
      met: right,
    },
    {
      what: "peak of resident memory, load included",
      value: `${peakMb} MB`,
      budget: `< ${PEAK_BUDGET_MB} MB`,
      met: peakMb < PEAK_BUDGET_MB,
    },
    { what: "resident memory afterwards", value: `${settledMb} MB` },
    { what: "reading and folding the zone", value: inMs(foldedMs) },
    { what: "… and taking in all contributions", value: inMs(loadedMs) },
    { what: "… CPU of both", value: inMs((loadedCpu.user + loadedCpu.system) / 1000) },
    { what: "longest stall of the event loop, reading and folding", value: inMs(readStallMs) },
    { what: "… while planning", value: inMs(passStallMs) },
  ],
);
process.exit(0);

/**
 * As the zone actor does it: the first plan in one round, so that the fuse sees all of it, later
 * ones in rounds.
 */
async function pass(roundMax: number) {
  const ledger = ledgerOf();
  const planner = new ZonePlanner({ apex: APEX, index, texts, ledger, clock });
  const startedAt = performance.now();
  await planner.markAll(input, true);
  const comparedMs = performance.now() - startedAt;
  let changes = 0;
  for (let due = ledger.takeDue(roundMax); due.length > 0; due = ledger.takeDue(roundMax))
    for (const plan of await planner.plansOf(due, input)) changes += plan.changes.length;
  return { comparedMs, plannedMs: performance.now() - startedAt - comparedMs, changes };
}

function statusMb(field: "VmHWM" | "VmRSS"): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024);
}
