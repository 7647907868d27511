import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { RealClock } from "../src/app/ports/real-clock.ts";
import { compose } from "../src/app/compose/compose.ts";
import { queueStarter } from "../src/app/compose/open-cluster.ts";
import { openGuards, openPauses } from "../src/app/compose/open-guards.ts";
import { configuredRegistry } from "../src/app/compose/open-registry.ts";
import { StoredState } from "../src/app/ports/stored-state.ts";
import { DNS_PROVIDER, SERVICE_ENTRY } from "../src/model/kinds.ts";
import { SOURCES } from "../src/sources/index.ts";
import { MemoryAccount, memoryProvider } from "../test/support/memory-provider/provider.ts";
import { LIKE_RFC2136 } from "../test/support/memory-provider/behaviour.ts";
import { MemoryLog, SeededRandom } from "../test/support/ports/test-ports.ts";
import { RealCrypto } from "../src/app/ports/real-crypto.ts";
import { PrometheusMetrics } from "../src/app/ports/prometheus-metrics.ts";
import { METRICS } from "../src/app/ports/metrics-table.ts";
import { DEFAULT_PUBLISH } from "../test/support/worlds/default-publish.ts";
import { FakeResolver } from "../test/support/worlds/fake-resolver.ts";
import { MemoryCluster } from "../test/support/worlds/memory-cluster.ts";
import { addProvider, objectOf } from "../test/support/worlds/program-world.ts";

const N = Number(process.env["N"] ?? 10);
const M = Number(process.env["M"] ?? 400);
const clock = new RealClock();
const home = new MemoryCluster("home");
addProvider(home);
const [provider] = home.all(DNS_PROVIDER);
home.apply(DNS_PROVIDER, { ...provider!, metadata: { ...provider!.metadata, annotations: { "zonekeeper.dev/clusters": "*" } } });
const access = (c: MemoryCluster) => ({ view: c, writer: c, recorder: c });
const far = Array.from({ length: N }, (_, i) => {
  const c = new MemoryCluster(`c${i}`);
  for (let e = 0; e < M; e++)
    c.apply(SERVICE_ENTRY, objectOf("networking.istio.io/v1", "ServiceEntry", `e${e}`, {
      metadata: { annotations: { "zonekeeper.dev/publish": "true" } },
      spec: { hosts: [`e${e}.c${i}.example.org`], addresses: ["192.0.2.1"], ports: [{ number: 443, name: "https", protocol: "HTTPS" }], resolution: "STATIC", location: "MESH_EXTERNAL", endpoints: [{ address: "192.0.2.1" }] },
    }));
  return c;
});
const account = new MemoryAccount();
const { content } = account.addZone({ name: trustedDnsName("example.org"), behaviour: LIKE_RFC2136 });
const ports = { clock, random: new SeededRandom(1), crypto: new RealCrypto(), net: undefined as never, resolver: new FakeResolver(), http: undefined as never, log: new MemoryLog(), metrics: new PrometheusMetrics(METRICS, { process: false }) };
const state = new StoredState(new MemoryStore(), "");
const pauses = openPauses({ ...ports, state, owner: "me", given: { all: false, zones: [] } });
const registry = { format: "txt" as const, owns: [], clusterAliases: new Map() };
import { Engine } from "../src/sync/engine.ts";
const counts = {};
const count = (k: string, n = 1) => { (counts as any)[k] = ((counts as any)[k] ?? 0) + n; };
for (const m of ["contribute", "isOpen", "gatesChanged", "unassign", "zonesInPlanning", "status"] as const) { const real = (Engine.prototype as any)[m]; (Engine.prototype as any)[m] = function (...a: unknown[]) { count(m); return real.apply(this, a); }; }
const before = process.cpuUsage();
const from = performance.now();
const running = compose({
  pauses, state, owner: "me", publish: { ...DEFAULT_PUBLISH },
  adoption: { mode: "never" }, controllers: new Set(["compound", "istio-serviceentry"]), sources: SOURCES,
  sourceClusters: [access(home)], furtherClusters: far.map(access), target: access(home), provider: access(home),
  types: [memoryProvider(account)], openOwnership: configuredRegistry({ ...ports, owner: "me", registry }),
  openGuard: openGuards({ ...ports, state, pauses, owner: "me", version: "1" }), startQueue: queueStarter(ports), ports,
});
const want = N * M;
for (;;) {
  await new Promise((r) => setTimeout(r, 100));
  let n = 0;
  for (const s of content.all()) if (s.type === "A") n++;
  if (n >= want || performance.now() - from > 120_000) { console.log(n, "of", want); break; }
}
const cpu = process.cpuUsage(before);
console.log(N, "clusters", Math.round(performance.now() - from), "ms wall", Math.round((cpu.user + cpu.system) / 1000), "ms cpu");
console.log(counts); const t = (await ports.metrics.scrape()).text; console.log(t.split("\n").filter((l) => /reconcile_total|plan|rounds|calls/.test(l) && !l.startsWith("#")).join("\n").slice(0, 3000));
await running.stop();
process.exit(0);
