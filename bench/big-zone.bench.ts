/**
 * One changed object in a zone of 100 000 record sets (docs/architecture.md#budgets): work from
 * contribution to provider call, and how often the provider was listed. The session is a memory
 * that answers at once, so that only our work counts.
 */
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { RealClock } from "../src/app/ports/real-clock.ts";
import { RealRandom } from "../src/app/ports/real-crypto.ts";
import { openTxtOwnership } from "../src/ownership/txt/ownership.ts";
import { SYNC_DEFAULTS } from "../src/sync/contract/settings.ts";
import { Engine } from "../src/sync/engine.ts";
import { FuseGuard } from "../src/sync/guards/fuse-guard.ts";
import { fakeObserver } from "../test/support/values/fake-observer.ts";
import { BigZoneSession, contributionAt, OWNER } from "./support/big-zone-session.ts";
import { QUIET_LOG, QUIET_METRICS } from "./support/quiet-ports.ts";
import { inMs, percentile, report } from "./support/report.ts";

const SETS = 100_000;
const CHANGES = 500;
const BUDGET_MS = 20;
/** Far below the 10 s in which a Lease has to be renewed, and short enough for a health check. */
const STALL_BUDGET_MS = 250;
const APEX = trustedDnsName("example.org");
const pause = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms));

const session = new BigZoneSession(APEX, SETS);
const stored = new Map<string, string>();
const state = {
  read: async (key: string) => stored.get(key) ?? null,
  write: async (key: string, text: string) => void stored.set(key, text),
};
const ports = {
  clock: new RealClock(),
  random: new RealRandom(),
  log: QUIET_LOG,
  metrics: QUIET_METRICS,
};
const engine = new Engine({
  identity: { owners: new Set([OWNER]), mainOwner: OWNER, clusterRank: {} },
  observer: fakeObserver("alive"),
  openGuard: ({ zone }, onChanged) =>
    new FuseGuard({
      ...ports,
      key: "fuse",
      zone: zone.name,
      state,
      version: "bench",
      onReleased: onChanged,
    }),
  // Gathering is waiting, not work.
  settings: { ...SYNC_DEFAULTS, gatherMs: 0, gatherManyMs: 0 },
  ...ports,
});
const key = { account: "bench", zone: APEX };

/** How late timers of 10 ms come: what health checks and the Lease would have waited. */
const delays = monitorEventLoopDelay({ resolution: 10 });
const rssBefore = process.memoryUsage().rss;
const loadStart = performance.now();
const loadCpu = process.cpuUsage();
for (let index = 0; index < SETS; index++)
  engine.contribute(key, contributionAt(index, "192.0.2.1", 1));
// A process that reads its cluster contributes in steps; here only the zone's own work counts.
await pause(50);
delays.enable();
await pause(50);
engine.openZone({
  key,
  zone: { id: APEX, name: APEX, providerType: "memory", endpoint: "", view: "" },
  session,
  ownership: openTxtOwnership({ apex: APEX, isOwnedByUs: (owner) => owner === OWNER }),
  policy: "sync",
  adoption: { mode: "never" },
  managedTypes: new Set(["A", "AAAA", "CNAME", "TXT"]),
  defaultTtlSeconds: 300,
});
const reported = new Promise<void>((resolve) => {
  let open = SETS;
  const stop = engine.onReport((report) => {
    if (!("names" in report)) return;
    if (report.names.every((name) => name.state === "published")) open -= 1;
    if (open > 0) return;
    stop();
    resolve();
  });
});
await reported;
const loadedMs = performance.now() - loadStart;
const loadedCpu = process.cpuUsage(loadCpu);
await pause(50);
delays.disable();
const stallMs = delays.max / 1e6;
await pause(2_000);
const callsAfterLoad = session.calls;
const listingsAfterLoad = session.listings;

const samples: number[] = [];
const cpuBefore = process.cpuUsage();
for (let change = 0; change < CHANGES; change++) {
  const applied = session.nextCall();
  const startedAt = performance.now();
  engine.contribute(key, contributionAt((change * 37) % SETS, "192.0.2.2", 2));
  samples.push((await applied) - startedAt);
  await pause(5);
}
const { user, system } = process.cpuUsage(cpuBefore);
const cpuMs = (user + system) / 1000 / CHANGES;
const grownMb = Math.round((process.memoryUsage().rss - rssBefore) / 2 ** 20);
await engine.stop();

const listings = session.listings - listingsAfterLoad;
const economy = (session.calls - callsAfterLoad) / CHANGES;
const p50 = percentile(samples, 0.5);
const p99 = percentile(samples, 0.99);
const budget = `< ${BUDGET_MS} ms`;
report(`big-zone: one changed object in a zone of ${SETS} record sets, ${CHANGES} times`, [
  { what: "event to provider call, p50", value: inMs(p50), budget, met: p50 < BUDGET_MS },
  { what: "event to provider call, p99", value: inMs(p99), budget, met: p99 < BUDGET_MS },
  { what: "event to provider call, worst", value: inMs(Math.max(...samples)) },
  { what: "CPU for one change, confirmation and report included", value: inMs(cpuMs) },
  {
    what: "listings caused by changes",
    value: String(listings),
    budget: "0",
    met: listings === 0,
  },
  {
    what: "provider calls for the unchanged zone",
    value: String(callsAfterLoad),
    budget: "0",
    met: callsAfterLoad === 0,
  },
  {
    what: "provider calls for one change",
    value: economy.toFixed(2),
    budget: "<= 1.05",
    met: economy <= 1.05,
  },
  { what: "load, fold markers, plan everything once", value: inMs(loadedMs) },
  { what: "… CPU of that", value: inMs((loadedCpu.user + loadedCpu.system) / 1000) },
  {
    what: "longest stall of the event loop meanwhile",
    value: inMs(stallMs),
    budget: `< ${STALL_BUDGET_MS} ms`,
    met: stallMs < STALL_BUDGET_MS,
  },
  { what: "resident memory grown by", value: `${grownMb} MB` },
]);
process.exit(0);
