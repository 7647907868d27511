/**
 * A leader and a standby over one cluster and one zone in memory, started as `run` starts them: the
 * standby has the plan of what the leader has not done, and calls nothing that writes.
 */
import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { PreviewState } from "../../../src/app/commands/run/preview.ts";
import type { RunContext } from "../../../src/app/commands/run/run-context.ts";
import { startTerm } from "../../../src/app/commands/run/start-term.ts";
import type { Composition } from "../../../src/app/compose/compose.ts";
import { clusterTerm } from "../../../src/app/compose/lease-epochs.ts";
import { configuredKeys } from "../../../src/app/compose/open-registry.ts";
import { METRICS } from "../../../src/app/ports/metrics-table.ts";
import { PrometheusMetrics } from "../../../src/app/ports/prometheus-metrics.ts";
import { RealCrypto } from "../../../src/app/ports/real-crypto.ts";
import { StoredState } from "../../../src/app/ports/stored-state.ts";
import { TXT_DEFAULTS } from "../../../src/config/txt-options.ts";
import { REGISTRIES } from "../../../src/ownership/index.ts";
import type { ProviderType } from "../../../src/providers/provider.ts";
import { SOURCES } from "../../../src/sources/index.ts";
import { MemoryAccount, memoryProvider } from "../../support/memory-provider/provider.ts";
import { MemoryLog, SeededRandom } from "../../support/ports/test-ports.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { DEFAULT_PUBLISH } from "../../support/worlds/default-publish.ts";
import { FakeResolver } from "../../support/worlds/fake-resolver.ts";
import { MemoryCluster } from "../../support/worlds/memory-cluster.ts";
import { addProvider, objectOf } from "../../support/worlds/program-world.ts";
import { demand } from "./demand.ts";

const WRITES = new Set(["create", "update", "patch", "patchStatus", "remove", "record", "apply"]);

/** Who calls a method that writes is noted; reads pass. */
function watched<T extends object>(target: T, note: (method: string) => void): T {
  return new Proxy(target, {
    get: (object, key) => {
      const value: unknown = Reflect.get(object, key, object);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (WRITES.has(String(key))) note(String(key));
        return Reflect.apply(value, object, args);
      };
    },
  });
}

/** As `--owner me` has it. */
const CONFIG = {
  ...{ owner: "me", set: "", sets: [], namespace: null, imports: [], adopt: "never" },
  ...{ controllers: new Set(["compound", "service-dns"]), providerTypes: null, fence: "auto" },
  ...{ lease: null, trustedNamespaces: [], txt: TXT_DEFAULTS, pause: { all: false, zones: [] } },
  registry: { format: "txt", owns: [], clusterAliases: new Map() },
  further: { configCluster: null },
  publish: DEFAULT_PUBLISH,
};

function world() {
  const clock = new VirtualClock();
  const cluster = new MemoryCluster("c1", () => clock.nowMs());
  const account = new MemoryAccount();
  const { content } = account.addZone({ name: trustedDnsName("example.org") });
  addProvider(cluster);
  const store = new MemoryStore();
  const start = (who: "leader" | "standby") => {
    const calls: string[] = [];
    const note = (method: string) => calls.push(method);
    const access = {
      view: cluster,
      writer: watched(cluster, note),
      recorder: watched(cluster, note),
    };
    const memory = memoryProvider(account);
    const type: ProviderType = {
      ...memory,
      open: async (...given) => {
        const opened = await memory.open(...given);
        return opened.ok ? { ok: true, value: watched(opened.value, note) } : opened;
      },
    };
    const ports = {
      clock,
      random: new SeededRandom(1),
      crypto: new RealCrypto(),
      net: undefined as never,
      http: undefined as never,
      resolver: new FakeResolver(),
      log: new MemoryLog(),
      metrics: new PrometheusMetrics(METRICS, { process: false }),
    };
    const state = new StoredState(store, "");
    const context = {
      ...{ config: CONFIG, ports, folder: null },
      rows: { sources: SOURCES, registries: REGISTRIES, providers: [type] },
      keys: new Map([[CONFIG, configuredKeys(TXT_DEFAULTS, ports)]]),
    };
    const clusters = {
      ...{ source: access, target: access, provider: access, sets: [] },
      lease: { writer: cluster, namespace: "default", uid: "c1" },
    };
    const further = { joined: [], awaited: () => null };
    const begun =
      who === "leader"
        ? { state, term: clusterTerm("c1") }
        : { state: new PreviewState(state), term: null };
    const running = startTerm(
      context as unknown as RunContext,
      { clusters, further } as unknown as Parameters<typeof startTerm>[1],
      begun,
    );
    return { running, calls };
  };
  const shows = (address: string): void =>
    cluster.setStatus(SERVICE, "default", "web", { loadBalancer: { ingress: [{ ip: address }] } });
  cluster.apply(
    SERVICE,
    objectOf("v1", "Service", "web", {
      metadata: { annotations: { "dns.gardener.cloud/dnsnames": "www.example.org" } },
      spec: { type: "LoadBalancer" },
    }),
  );
  shows("192.0.2.1");
  const answers = (): string =>
    content
      .at(trustedDnsName("www.example.org"))
      .flatMap(({ values }) => values)
      .join();
  return { clock, start, shows, answers };
}

const openNames = (running: Composition): string =>
  running
    .zones()
    .flatMap(({ open }) => open)
    .map(({ name }) => name)
    .join();

/** Fails where one clause of it is lost. */
export async function proveStandby(): Promise<void> {
  const { clock, start, shows, answers } = world();
  const early = start("standby");
  await clock.advance(60_000);
  demand(early.calls.length === 0, `a standby writes: ${early.calls.join()}`);
  demand(answers() === "", "a standby writes to the zone");
  demand(openNames(early.running) === "www.example.org", "a standby has no plan");
  const leader = start("leader");
  await clock.advance(60_000);
  demand(answers() === "192.0.2.1" && leader.calls.length > 0, "a leader does not write");
  demand(
    openNames(early.running) === "",
    `what the leader did is open: ${openNames(early.running)}`,
  );
  await leader.running.stop();
  shows("192.0.2.9");
  await clock.advance(120_000);
  demand(openNames(early.running) === "www.example.org", "what nobody does is not planned");
  demand(answers() === "192.0.2.1", "a standby writes to the zone");
  await early.running.stop();
  demand(early.calls.length === 0, `a standby writes: ${early.calls.join()}`);
}
