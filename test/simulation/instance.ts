/**
 * One user group of the simulated zone: its cluster, its owner id, what its users want, and the process that serves
 * them. Processes come and go; the cluster stays. It never writes to the zone but through its process's sessions.
 */
import { type Composition, compose } from "../../src/app/compose.ts";
import { RealCrypto } from "../../src/app/ports/real-crypto.ts";
import { Reconciler } from "../../src/cluster/reconciler.ts";
import { DNS_ENTRY, DNS_PROVIDER, INGRESS, SECRET, SERVICE } from "../../src/model/kinds.ts";
import { type KindRef, type KubeObject, kindText } from "../../src/model/kubernetes.ts";
import { openTxtOwnership } from "../../src/ownership/txt/ownership.ts";
import type { ClusterView } from "../../src/ports/cluster-view.ts";
import type { ProviderType } from "../../src/providers/provider.ts";
import { SYNC_DEFAULTS } from "../../src/sync/settings.ts";
import { MemoryCluster } from "../support/memory-cluster.ts";
import { type MemoryLog, MemoryMetrics } from "../support/test-ports.ts";
import type { VirtualClock } from "../support/virtual-clock.ts";
import { type Passage, ProcessGate } from "./process-gate.ts";
import { ProcessView } from "./process-view.ts";
import type { SimRandom } from "./sim-random.ts";
import { Truth } from "./truth.ts";

/** Milliseconds between two full loads. */
export const RELOAD_MS = 300_000;
/** Shorter than in `run`, so that a quiet time that is worth looking at costs little. */
const SETTINGS = {
  ...SYNC_DEFAULTS,
  tokenPollMs: 5_000,
  selfCheckMs: 5_000,
  retryMostMs: 60_000,
  reloadWithTokenMs: RELOAD_MS,
  reloadWithoutTokenMs: 60_000,
};
/** Kinds whose objects name things in a zone. */
export const NAMING_KINDS: readonly KindRef[] = [DNS_ENTRY, SERVICE, INGRESS];

/** What an instance needs from the world. */
export interface InstanceOptions {
  readonly owner: string;
  readonly clusterId: string;
  readonly clock: VirtualClock;
  readonly random: SimRandom;
  readonly log: MemoryLog;
  /** The zone as this instance's writes reach it. */
  readonly provider: ProviderType;
  /** What becomes of an external call. */
  readonly passage: (what: string) => Passage;
  readonly note: (line: string) => void;
  /** How many DNSProviders (and with them accounts) show the zone. */
  readonly accounts: number;
  /** `--no-targets-grace`; absent = for ever. */
  readonly noTargetsGraceMs?: number;
}

interface Process {
  /** Virtual monotonic milliseconds. */
  readonly startedAtMs: number;
  readonly gate: ProcessGate;
  readonly view: ProcessView;
  readonly composition: Composition;
}

/** One owner id with its cluster. */
export class Instance {
  readonly owner: string;
  readonly cluster: MemoryCluster;
  readonly truth = new Truth();
  readonly #options: InstanceOptions;
  #process: Process | null = null;
  /** Kinds that discovery does not have, by the virtual time at which it has them again. */
  readonly #gone = new Map<string, number>();

  constructor(options: InstanceOptions) {
    this.owner = options.owner;
    this.#options = options;
    this.cluster = new MemoryCluster(options.clusterId, () => options.clock.nowMs());
    this.rotateSecret(0);
    for (let index = 0; index < options.accounts; index++)
      this.cluster.apply(DNS_PROVIDER, provider(index));
  }

  /** Other credentials for the same zone: a new account for the product. */
  rotateSecret(version: number): void {
    const data = { version: btoa(String(version)) };
    this.cluster.apply(SECRET, { ...named("v1", "Secret", "dns"), data });
  }

  /** Starts a process; at most one lives. `slow` = a kind whose first list takes long. */
  start(slow: { readonly kind: KindRef; readonly forMs: number } | null): void {
    const { clock, random, note, passage, log, owner } = this.#options;
    const gate = new ProcessGate(passage, () => this.#crashed());
    const view = new ProcessView(this.cluster, { clock, random }, (kind) => {
      const goneMs = this.#goneMs(kind);
      if (goneMs > 0) return { state: "absent", forMs: goneMs };
      return slow?.kind === kind ? { state: "syncing", forMs: slow.forMs } : null;
    });
    const ports = { clock, random, log, metrics: new MemoryMetrics() };
    const access = {
      view,
      writer: gate.writer(this.cluster),
      recorder: gate.recorder(this.cluster),
    };
    const composition = compose({
      owner,
      publish: {
        dnsClass: "gardendns",
        policy: "sync",
        ttlSeconds: 300,
        dryRun: false,
        noTargetsGraceMs: this.#options.noTargetsGraceMs ?? null,
      },
      adoption: { mode: "never" },
      controllers: new Set(["compound", "service-dns", "ingress-dns"]),
      sourceClusters: [access],
      target: access,
      provider: access,
      types: [gate.provider(this.#options.provider)],
      openOwnership: (zone, { atomicity }) =>
        openTxtOwnership({
          apex: zone.name,
          isOurs: (claimed) => claimed === owner,
          atomic: atomicity === "zone",
        }),
      // Without the fuse: it stops what the story is about. Its own proof is plan/fuse.test.ts.
      openGuard: () => ({
        admit: async (plans) => plans,
        approve: async () => false,
        heldSets: () => [],
      }),
      toAscii: null,
      startQueue: (options) => new Reconciler(options, ports),
      ports: { ...ports, net: NO_NET, crypto: new RealCrypto() },
      settings: SETTINGS,
    });
    this.#process = { gate, view, composition, startedAtMs: clock.monotonicMs() };
    const late = slow === null ? "" : `, ${slow.kind.plural} listed after ${slow.forMs} ms`;
    note(`${owner}: process started${late}`);
  }

  /** `kill -9`. */
  kill(): void {
    if (this.#process === null) return;
    this.#options.note(`${this.owner}: process killed`);
    this.#bury();
  }

  /** Whether a process lives. */
  get isRunning(): boolean {
    return this.#process !== null;
  }

  /** The cluster as the living process sees it, or null. */
  get view(): ClusterView | null {
    return this.#process?.view ?? null;
  }

  /** Z-4: the present process has seen the object without any address for the whole grace; never without a grace. */
  isGraceOver(resource: string): boolean {
    const { clock, noTargetsGraceMs } = this.#options;
    const lostAtMs = this.truth.addresslessSince(resource);
    if (noTargetsGraceMs === undefined || lostAtMs === null || this.#process === null) return false;
    const seenAtMs = Math.max(lostAtMs, this.#process.startedAtMs);
    return clock.monotonicMs() - seenAtMs >= noTargetsGraceMs;
  }

  /** F02, F03: the watch of one kind ends, or it may not be read. Ends by itself. */
  interrupt(kind: KindRef, state: "stale" | "forbidden", forMs: number): void {
    this.#options.note(`${this.owner}: watch of ${kind.plural} ${state} for ${forMs} ms`);
    this.#process?.view.interrupt(kind, state, forMs);
  }

  /** F03, Z-3: discovery loses a kind, also for processes that start meanwhile; its objects are still there. */
  loseKind(kind: KindRef, forMs: number): void {
    const { clock, note } = this.#options;
    note(`${this.owner}: discovery lacks ${kind.plural} for ${forMs} ms`);
    this.#gone.set(kindText(kind), clock.monotonicMs() + forMs);
    this.#process?.view.interrupt(kind, "absent", forMs);
  }

  /** What the process says of the zone now; for messages. */
  explain(): string {
    const open = this.#process?.composition.zones().flatMap((zone) => zone.open) ?? [];
    return JSON.stringify(open, null, 1);
  }

  #goneMs(kind: KindRef): number {
    const untilMs = this.#gone.get(kindText(kind)) ?? 0;
    return untilMs - this.#options.clock.monotonicMs();
  }

  #crashed(): void {
    this.#options.note(`${this.owner}: process crashed at an external call`);
    this.#bury();
  }

  #bury(): void {
    this.#process?.gate.die();
    this.#process?.view.die();
    // What is left of the old process runs on and reaches nothing; a real one would be gone.
    this.#process = null;
  }
}

const NO_NET = {
  connectTcp: () => Promise.reject(new Error("the simulator has no network")),
  listenTcp: () => Promise.reject(new Error("the simulator has no network")),
  bindUdp: () => Promise.reject(new Error("the simulator has no network")),
};

/** Providers differ in their settings only, so that each is an account of its own that shows the same zone. */
function provider(index: number): KubeObject {
  const name = `dns${index === 0 ? "" : index}`;
  const spec = { type: "memory", secretRef: { name: "dns" }, providerConfig: { index } };
  return { ...named("dns.gardener.cloud/v1alpha1", "DNSProvider", name), spec };
}

function named(apiVersion: string, kind: string, name: string): KubeObject {
  return { apiVersion, kind, metadata: { namespace: "default", name } };
}
