/**
 * Two regions in memory, in virtual time: processes with one election over one zone, started as
 * `run` starts them, a cluster with the configuration and a further one, `eu`. Each process reaches
 * Lease and zone by a way of its own, which can be cut.
 */
import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { LEASE_TIMING } from "@zonekeeper/kube/client/lease/lease-election";
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { ApiClusterWriter } from "@zonekeeper/kube/client/write/cluster-writer";
import { CONFIG_MAP, LEASE, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { RunContext } from "../../../src/app/commands/run/run-context.ts";
import { RunningInstance } from "../../../src/app/commands/run/running-instance.ts";
import { type Serving, withLease } from "../../../src/app/commands/run/start-term.ts";
import type { ClusterAccess } from "../../../src/app/compose/controllers-options.ts";
import { configuredKeys } from "../../../src/app/compose/zone-openers.ts";
import { METRICS } from "../../../src/app/ports/metrics-table.ts";
import { PrometheusMetrics } from "../../../src/app/ports/prometheus-metrics.ts";
import { RealCrypto } from "../../../src/app/ports/real-crypto.ts";
import { StoredState } from "../../../src/app/ports/wrapped-store.ts";
import { TXT_DEFAULTS } from "../../../src/config/txt-options.ts";
import { DNS_PROVIDER } from "../../../src/model/kinds.ts";
import { REGISTRIES } from "../../../src/ownership/index.ts";
import { type ProviderType, sessionAround } from "../../../src/providers/provider.ts";
import { SOURCES } from "../../../src/sources/index.ts";
import { HandlerClient } from "../clients/handler-client.ts";
import { LIKE_RFC2136 } from "../memory-provider/behaviour.ts";
import type { MemoryFaults } from "../memory-provider/faults.ts";
import { MemorySession } from "../memory-provider/memory-session.ts";
import { MemoryAccount } from "../memory-provider/provider.ts";
import type { ZoneContent } from "../memory-provider/zone-content.ts";
import { FakeApiServer } from "../ports/fake-api-server.ts";
import { MemoryLog, SeededRandom } from "../ports/test-ports.ts";
import { VirtualClock } from "../ports/virtual-clock.ts";
import { DEFAULT_PUBLISH } from "./default-publish.ts";
import { FakeResolver } from "./fake-resolver.ts";
import { MemoryCluster } from "./memory-cluster.ts";
import { addProvider, objectOf } from "./program-world.ts";

/** As `--owner me` has it. */
export const CONFIG = {
  ...{ owner: "me", set: "", sets: [], namespace: null, imports: [], adopt: "never" },
  ...{ controllers: new Set(["compound", "service-dns"]), providerTypes: null, fence: "auto" },
  ...{ lease: null, trustedNamespaces: [], txt: TXT_DEFAULTS, pause: { all: false, zones: [] } },
  registry: { format: "txt", owns: [], clusterAliases: new Map() },
  further: { configCluster: null },
  publish: DEFAULT_PUBLISH,
};

/** Ports of one process. */
export function portsOf(clock: VirtualClock, seed: number) {
  return {
    ...{ clock, random: new SeededRandom(seed), crypto: new RealCrypto() },
    ...{ net: undefined as never, http: undefined as never, resolver: new FakeResolver() },
    log: new MemoryLog(),
    metrics: new PrometheusMetrics(METRICS, { process: false }),
  };
}

/** What a process is composed from, beside its clusters. */
export function contextOf(
  config: object,
  ports: ReturnType<typeof portsOf>,
  types: readonly ProviderType[],
  more: object = {},
): RunContext {
  const rows = { sources: SOURCES, registries: REGISTRIES, providers: types };
  const keys = new Map([[config, configuredKeys(TXT_DEFAULTS, ports)]]);
  return { ...{ config, ports, rows, keys, folder: null }, ...more } as unknown as RunContext;
}

/** A Service with the name and the address. */
export function publish(cluster: MemoryCluster, label: string, address: string): void {
  const annotations = { "dns.gardener.cloud/dnsnames": `${label}.example.org` };
  const spec = { type: "LoadBalancer" };
  cluster.apply(SERVICE, objectOf("v1", "Service", label, { metadata: { annotations }, spec }));
  cluster.setStatus(SERVICE, "default", label, { loadBalancer: { ingress: [{ ip: address }] } });
}

/** An API server of Leases, whose handler may be given away. */
export const leaseServer = (): FakeApiServer => new FakeApiServer([LEASE, CONFIG_MAP]);

/** One zone, two clusters, and who runs. */
export class RegionWorld {
  readonly clock = new VirtualClock();
  readonly source = new MemoryCluster("home", () => this.clock.nowMs());
  readonly eu = new MemoryCluster("eu", () => this.clock.nowMs());
  readonly account = new MemoryAccount();
  readonly content: ZoneContent;
  readonly #running: RegionProcess[] = [];

  /** `latencyMs`: of a call to the back end. */
  constructor(latencyMs = 0) {
    const name = trustedDnsName("example.org");
    const behaviour = { ...LIKE_RFC2136, latencyMs };
    this.content = this.account.addZone({ name, behaviour }).content;
    addProvider(this.source);
    const [provider] = this.source.all(DNS_PROVIDER);
    const annotations = { "zonekeeper.dev/clusters": "*" };
    if (provider !== undefined)
      this.source.apply(DNS_PROVIDER, {
        ...provider,
        metadata: { ...provider.metadata, annotations },
      });
  }

  /** `uid`: of the cluster of its Lease. */
  start(server: FakeApiServer, uid = "uid-1"): RegionProcess {
    const process = new RegionProcess(this, server, { uid, seed: this.#running.length + 1 });
    this.#running.push(process);
    return process;
  }

  /** Addresses of the name. */
  answers(label: string): string {
    const sets = this.content.at(trustedDnsName(`${label}.example.org`));
    return sets
      .filter(({ type }) => type === "A")
      .flatMap(({ values }) => values)
      .join();
  }

  /** The epoch that the fence of the zone has; 0 = there is none. */
  epoch(): number {
    const texts = this.content.all().flatMap(({ values }) => values);
    const epochs = texts.flatMap((text) => /;epoch=(\d+)/.exec(text)?.[1] ?? []);
    return Math.max(0, ...epochs.map(Number));
  }

  /** Who leads, by number of its start. */
  leaders(): string {
    return this.#running.flatMap((one, at) => (one.isLeading ? [at + 1] : [])).join();
  }

  async pass(seconds: number): Promise<void> {
    await this.clock.advance(seconds * 1_000);
  }

  async close(): Promise<void> {
    const ended = Promise.all(this.#running.map((one) => one.stop()));
    await this.pass(120);
    await ended;
  }
}

/** `zonekeeper run --election shop`, once its clusters are open. */
export class RegionProcess {
  readonly instance: RunningInstance;
  readonly #http: HandlerClient;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  readonly #listeners = new Set<() => void>();
  #joined: readonly ClusterAccess[];
  #isZoneCut = false;
  /** How often it asked for records or the change token of the zone. */
  reads = 0;
  isDead = false;
  /** Calls that change the zone, sent while it stood by. */
  standbyWrites = 0;
  /** Monotonic milliseconds at which the zone is seen; null = now. */
  #staleSinceMs: number | null = null;

  constructor(
    world: RegionWorld,
    server: FakeApiServer,
    { uid, seed }: { readonly uid: string; readonly seed: number },
  ) {
    const { clock, source, eu } = world;
    const ports = portsOf(clock, seed);
    const lease = {
      ...{ ...LEASE_TIMING, election: "shop", name: "zonekeeper", namespace: "kube-system" },
      ...{ rank: null, region: null, handBackAfterMs: 300_000 },
    };
    const config = { ...CONFIG, lease };
    const state = new StoredState(new MemoryStore(), "");
    const stop = this.#stopping.signal;
    const context = contextOf(config, ports, [this.#provider(world)], { state, stop });
    this.#http = new HandlerClient(server.handler);
    const client = new ApiClient({ http: this.#http, clock });
    const writer = new ApiClusterWriter({ clusterId: uid, client, clock, rate: null });
    const access = accessTo(source);
    const clusters = {
      ...{ source: access, target: access, provider: access, sets: [] },
      lease: { writer, namespace: "kube-system", uid },
    };
    this.#joined = [accessTo(eu)];
    this.instance = new RunningInstance(ports.metrics, ports);
    this.instance.waitFor(null);
    const serving = { instance: this.instance, clusters, further: this.#further() };
    this.#ended = withLease(context, serving as unknown as Serving, lease);
  }

  get isLeading(): boolean {
    return this.instance.standbyReply() === null;
  }

  /** Requests about the Lease get no answer. */
  cutLease(isCut = true): void {
    this.#http.interceptors = isCut ? [() => new Promise(() => undefined)] : [];
  }

  /** The back end of the zone does not answer. */
  cutZone(isCut = true): void {
    this.#isZoneCut = isCut;
  }

  /** Nothing of it arrives anywhere from now on. */
  kill(): void {
    this.cutLease();
    this.cutZone();
    this.isDead = true;
  }

  /** Its readings show the zone as it was at this moment (monotonic); null = as it is. */
  readOld(atMs: number | null): void {
    this.#staleSinceMs = atMs;
  }

  /** The further cluster is read, or not yet. */
  join(...clusters: readonly MemoryCluster[]): void {
    this.#joined = clusters.map(accessTo);
    for (const listener of this.#listeners) listener();
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#ended;
  }

  #further() {
    const joinedOf = (): readonly ClusterAccess[] => this.#joined;
    return {
      get joined() {
        return joinedOf();
      },
      awaited: (id: string) => (id === "eu" ? "cluster eu is not read now: Connecting" : null),
      isRemoved: () => false,
      rankIn: () => null,
      tellAgain: () => undefined,
      onJoined: (listener: () => void) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
  }

  #provider({ account, content }: RegionWorld): ProviderType {
    const down = (): readonly { readonly kind: "down" }[] =>
      this.#isZoneCut ? [{ kind: "down" }] : [];
    const read = (): ReturnType<typeof down> => {
      this.reads += 1;
      return down();
    };
    const apply = (): ReturnType<typeof down> => {
      if (!this.instance.isWriting) this.standbyWrites += 1;
      return down();
    };
    const faults: MemoryFaults = { apply, read };
    const old = () => (this.#staleSinceMs === null ? null : content.asOf(this.#staleSinceMs));
    return {
      type: "memory",
      open: (_settings, environment) => {
        const session = new MemorySession({ zones: () => account.zones(), faults, environment });
        const value = sessionAround(session, {
          records: (records) => async (zone, names, signal) => {
            const view = old();
            if (view === null) return records(zone, names, signal);
            const sets = names === null ? view.all() : names.flatMap((name) => view.at(name));
            return { sets, token: String(view.serial) };
          },
          changeToken: (changeToken) => async (zone, signal) => {
            const view = old();
            return view === null ? changeToken(zone, signal) : String(view.serial);
          },
          changesSince: (changesSince) => async (zone, token, signal) => {
            const view = old();
            if (view === null) return changesSince(zone, token, signal);
            return { token: String(view.serial), names: content.namesSince(view.serial) };
          },
        });
        return { ok: true, value };
      },
    };
  }
}

function accessTo(cluster: MemoryCluster): ClusterAccess {
  return { view: cluster, writer: cluster, recorder: cluster };
}
