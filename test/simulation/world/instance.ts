/**
 * One user group of the simulated zone: its cluster, its owner id, what its users want, and the
 * process that serves them. Processes come and go; the cluster stays. It never writes to the zone
 * but through its process's sessions.
 */

import { Reconciler } from "@zonekeeper/kube/client/queue/reconciler";
import { INGRESS, SECRET, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { type KindRef, type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { chooseRights, type RightsCommand } from "../../../src/app/api/rights-choice.ts";
import { type Composition, compose } from "../../../src/app/compose/compose.ts";
import {
  type GuardsOptions,
  openGuards,
  openPauses,
} from "../../../src/app/compose/open-guards.ts";
import { RealCrypto } from "../../../src/app/ports/real-crypto.ts";
import { FUSE_LIMITS } from "../../../src/model/fuse-limits.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../../src/model/kinds.ts";
import { openTxtOwnership } from "../../../src/ownership/txt/ownership.ts";
import { withOtherFormats } from "../../../src/ownership/with-other-formats.ts";
import { heldSets } from "../../../src/plan/fuse.ts";
import { type HeldSet, readFuse } from "../../../src/plan/fuse-state.ts";
import type { Resolver } from "../../../src/ports/resolver.ts";
import type { ProviderType } from "../../../src/providers/provider.ts";
import { SOURCES } from "../../../src/sources/index.ts";
import type { SourceRow } from "../../../src/sources/source.ts";
import type { OwnershipRow } from "../../../src/sync/contract/ownership-rows.ts";
import { SYNC_DEFAULTS } from "../../../src/sync/contract/settings.ts";
import { type MemoryLog, MemoryMetrics } from "../../support/ports/test-ports.ts";
import type { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { MapState } from "../../support/values/fuse.ts";
import { OPEN_GUARD } from "../../support/values/open-guard.ts";
import { DEFAULT_PUBLISH } from "../../support/worlds/default-publish.ts";
import { FakeResolver } from "../../support/worlds/fake-resolver.ts";
import { MemoryCluster } from "../../support/worlds/memory-cluster.ts";
import { ProcessClock } from "./process-clock.ts";
import { type Passage, ProcessGate } from "./process-gate.ts";
import { ProcessView } from "./process-view.ts";
import { SimLease, type SimTerm } from "./sim-lease.ts";
import type { SimRandom } from "./sim-random.ts";
import { Truth } from "./truth.ts";

/** Milliseconds between two full loads. */
export const RELOAD_MS = 300_000;
/** Shorter than in `run`, so that a quiet time that is worth looking at costs little. */
const SETTINGS = {
  ...SYNC_DEFAULTS,
  tokenPollMs: 5_000,
  selfCheckMs: 20_000,
  retryMostMs: 60_000,
  reloadWithTokenMs: RELOAD_MS,
  reloadWithoutTokenMs: 60_000,
};
/** S11: part of every Secret; stands in nothing that the product puts out. */
export const CANARY = "canary-7c1f2a";
/** Milliseconds until an installation whose term was outdated leads again. */
const RETRY_MS = 2_000;
/**
 * Milliseconds after which a process has heard of what another one wrote: the longest fault of a
 * view, and a relist.
 */
const BEHIND_MS = 60_000;
/**
 * S17: how long what follows from a DNSProvider that went may come yet: its grace, and calls in
 * flight.
 */
const PARTING_MS = 60_000;
const NAMESPACE = "default";
/** Kinds whose objects name things in a zone. */
export const NAMING_KINDS: readonly KindRef[] = [DNS_ENTRY, SERVICE, INGRESS];

/** What an instance needs from the world. */
export interface InstanceOptions {
  readonly owner: string;
  readonly clusterId: string;
  readonly clock: VirtualClock;
  readonly random: SimRandom;
  readonly log: MemoryLog;
  /** Absent = every host has no address. */
  readonly resolver?: Resolver;
  /** The zone as the writes of one process reach it. */
  readonly provider: (sender: Sender) => ProviderType;
  /** What becomes of an external call. */
  readonly passage: (what: string) => Passage;
  readonly note: (line: string) => void;
  /** How many DNSProviders (and with them accounts) show the zone. */
  readonly accounts: number;
  /** Sources that run besides those of `all`. */
  readonly sources?: readonly SourceRow[];
  /** `--no-targets-grace`; absent = for ever. */
  readonly noTargetsGraceMs?: number;
  /**
   * Z-16 with this least number of strongly proven removals; absent = without the fuse, which stops
   * many stories.
   */
  readonly fuseMin?: number;
  /** Whether zones are fenced (Z-17); default false. */
  readonly isFenced?: boolean;
  /** A write was begun after its process had been told to stop. */
  readonly onLate?: (what: string) => void;
}

/** One process, as the world sees its calls come. */
export interface Sender {
  readonly owner: string;
  /** Of the installation it belongs to. */
  readonly clusterId: string;
  /** Null = it knows of no fence. */
  readonly term: SimTerm | null;
  /** The cluster as it sees it. */
  readonly view: ClusterView;
  /** Virtual monotonic milliseconds. */
  readonly startedAtMs: number;
  readonly dryRun: boolean;
  readonly template: NonNullable<StartHow["template"]>;
}

/** How a process is started; all absent = as usual. */
export interface StartHow {
  /** A kind whose first list takes long (F03). */
  readonly slow?: { readonly kind: KindRef; readonly forMs: number };
  /** F18: what another version writes. */
  readonly template?: "typed" | "label";
  readonly writeCluster?: boolean;
  readonly dryRun?: boolean;
  /** Z-16: version and configuration, as the fuse compares them; default "1". */
  readonly version?: string;
  /** As `--publish`; absent = as the rows of the sources say. */
  readonly publishing?: "entries" | "direct";
  /** F18: its default for record sets without a wish, seconds; default 300. */
  readonly ttlSeconds?: number;
}

interface Process {
  readonly sender: Sender;
  readonly gate: ProcessGate;
  readonly view: ProcessView;
  readonly clock: ProcessClock;
  readonly composition: Composition;
}

/** One owner id with its cluster. */
export class Instance {
  readonly owner: string;
  readonly cluster: MemoryCluster;
  readonly truth = new Truth();
  /** F24: whether its DNSOwner is on, and since when (virtual ms). */
  readonly ownerId = { isOn: false, sinceMs: 0 };
  readonly #options: InstanceOptions;
  readonly #state = new MapState();
  /** Null = zones are not fenced. */
  readonly #lease: SimLease | null;
  readonly #secondProcess = new Set<Process>();
  /**
   * Until when (virtual ms) the one that is left may still be behind what one that ended has
   * written.
   */
  #twinUntilMs = 0;
  #process: Process | null = null;
  /** Kinds that discovery does not have, by the virtual time at which it has them again. */
  readonly #gone = new Map<string, number>();
  /** Until when (virtual ms) S17 is looked at though all DNSProviders are there. */
  #partingUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: InstanceOptions) {
    this.owner = options.owner;
    this.#options = options;
    this.#lease =
      options.isFenced === true ? new SimLease(`${options.clusterId}/dns/zonekeeper`) : null;
    this.cluster = new MemoryCluster(options.clusterId, () => options.clock.nowMs());
    this.rotateSecret(0);
    for (let index = 0; index < options.accounts; index++)
      this.cluster.apply(DNS_PROVIDER, provider(index));
  }

  /** Other credentials for the same zone: a new account for the product. */
  rotateSecret(version: number): void {
    const data = { version: btoa(String(version)), password: btoa(CANARY) };
    this.cluster.apply(SECRET, { ...named("v1", "Secret", "dns"), data });
  }

  /** How many DNSProviders there are when none is missing. */
  get providers(): number {
    return this.#options.accounts;
  }

  /**
   * S17: somebody deletes one of the DNSProviders, and somebody makes it again after a while
   * (virtual ms).
   */
  removeProvider(index: number, forMs: number): void {
    const { name } = provider(index).metadata;
    this.#note(`dnsprovider ${name} is deleted for ${forMs} ms`, {});
    if (this.cluster.now(DNS_PROVIDER, NAMESPACE, name) !== null)
      this.cluster.delete(DNS_PROVIDER, NAMESPACE, name);
    this.#options.clock.setTimer(forMs, () => this.#restoreProvider(index));
  }

  /** S17: every DNSProvider is there again, as soon as the old ones are gone. */
  restoreProviders(): void {
    for (let index = 0; index < this.#options.accounts; index++) this.#restoreProvider(index);
  }

  /** S17: a DNSProvider is gone, or going, or was so a moment ago. */
  get lacksProvider(): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    const all = this.cluster.all(DNS_PROVIDER);
    const there = all.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (there.length < this.#options.accounts) this.#partingUntilMs = nowMs + PARTING_MS;
    return nowMs < this.#partingUntilMs;
  }

  /** A name that a finalizer still holds cannot be taken yet. */
  #restoreProvider(index: number): void {
    const made = provider(index);
    const present = this.cluster.now(DNS_PROVIDER, NAMESPACE, made.metadata.name);
    if (present === null) {
      this.#note(`dnsprovider ${made.metadata.name} is made again`, {});
      this.cluster.apply(DNS_PROVIDER, made);
    } else if (present.metadata.deletionTimestamp !== undefined)
      this.#options.clock.setTimer(RETRY_MS, () => this.#restoreProvider(index));
  }

  /** Starts the process that serves now; at most one lives. */
  start(how: StartHow = {}): void {
    this.#process = this.#begin(how);
    this.#note("process started", how);
  }

  /**
   * F13: a second process of the same owner id and cluster beside the first, until it is ended by
   * what is returned.
   */
  startSecondProcess(how: StartHow = {}): () => void {
    const process = this.#begin(how);
    this.#secondProcess.add(process);
    this.#note("a second process started", how);
    return () => {
      if (this.#secondProcess.delete(process)) this.#end(process);
      this.#twinUntilMs = this.#options.clock.monotonicMs() + BEHIND_MS;
      this.#note("the second process ended", {});
    };
  }

  /**
   * The lease is lost: the process is told to stop, and ends when its calls in flight have ended.
   */
  retire(): void {
    if (this.#process !== null) this.#retire(this.#process);
  }

  #retire(process: Process): void {
    this.#note("process told to stop", {});
    if (this.#process === process) this.#process = null;
    this.#secondProcess.delete(process);
    process.sender.term?.end();
    process.gate.retire();
    void process.composition.stop().then(() => this.#end(process));
  }

  /** Z-17: its term was not the last one; the installation leads again a moment later. */
  #outdated(process: Process): void {
    this.#retire(process);
    this.#options.clock.setTimer(RETRY_MS, () => {
      if (!this.isRunning) this.start();
    });
  }

  #begin(how: StartHow): Process {
    const { random, passage, owner, provider, clusterId } = this.#options;
    const clock = new ProcessClock(this.#options.clock);
    const gate: ProcessGate = new ProcessGate({
      decide: passage,
      clock: this.#options.clock,
      onCrash: () => this.#crashed(process),
      onLate: (what) => this.#options.onLate?.(what),
    });
    const view = new ProcessView(this.cluster, { clock, random }, (kind) => {
      const goneMs = this.#goneMs(kind);
      if (goneMs > 0) return { state: "absent", forMs: goneMs };
      return how.slow?.kind === kind ? { state: "syncing", forMs: how.slow.forMs } : null;
    });
    const dryRun = how.dryRun ?? false;
    const term = this.#lease?.begin(() => this.#outdated(process)) ?? null;
    const startedAtMs = clock.monotonicMs();
    const template = how.template ?? "typed";
    const sender = { owner, clusterId, term, view, startedAtMs, dryRun, template };
    const composition = this.#compose({
      ...{ how, gate, view, clock, term },
      type: gate.provider(provider(sender)),
    });
    const process: Process = { sender, gate, view, clock, composition };
    return process;
  }

  #compose({ how, gate, view, type, clock, term }: InstanceInput): Composition {
    const { random, log, owner, noTargetsGraceMs = null, sources = [] } = this.#options;
    const ports = { clock, random, log, metrics: new MemoryMetrics() };
    const access = {
      view,
      writer: gate.writer(this.cluster),
      recorder: gate.recorder(this.cluster),
    };
    return compose({
      owner,
      publish: {
        ...DEFAULT_PUBLISH,
        ttlSeconds: how.ttlSeconds ?? 300,
        dryRun: how.dryRun ?? false,
        noTargetsGraceMs,
        publishing: how.publishing ?? null,
      },
      adoption: { mode: "never" },
      controllers: new Set(["compound", "service-dns", "ingress-dns", ...sources.map(nameOf)]),
      sources: [...SOURCES, ...sources],
      sourceClusters: [access],
      target: access,
      provider: access,
      types: [type],
      openOwnership: ({ name: apex }, { atomicity, preconditions, ...can }) => {
        const isMerging = preconditions?.written.absent === "never";
        let ownIds: ReadonlySet<string> = new Set([owner]);
        const isOwnedByUs = (claimed: string): boolean => ownIds.has(claimed);
        const registry = openTxtOwnership({
          ...{ ...can, apex, isOwnedByUs, atomic: atomicity === "zone", isMerging },
          byValue: atomicity === "value",
          markerLocation: how.template ?? "typed",
          writeCluster: how.writeCluster ?? true,
        });
        const actFor = (ids: ReadonlySet<string>): void => {
          ownIds = ids;
        };
        return withOtherFormats(registry, { apex, isOwnedByUs, actFor });
      },
      openGuard: this.#openGuard(ports, how.version ?? "1"),
      ...(term === null ? {} : { fence: { term, record: true } }),
      state: this.#state,
      startQueue: (options) => new Reconciler(options, ports),
      ports: {
        ...ports,
        resolver: this.#options.resolver ?? new FakeResolver(),
        net: NO_NET,
        http: noHttp,
        crypto: new RealCrypto(),
      },
      settings: SETTINGS,
    });
  }

  /**
   * Without the fuse unless the story is about it: it stops all others. Its own proof is
   * plan/fuse.test.ts.
   */
  #openGuard(
    ports: Pick<GuardsOptions, "clock" | "log" | "metrics">,
    version: string,
  ): Parameters<typeof compose>[0]["openGuard"] {
    const { fuseMin: strong, owner } = this.#options;
    if (strong === undefined) return () => OPEN_GUARD;
    const state = this.#state;
    const pauses = openPauses({ ...ports, state, owner, given: { all: false, zones: [] } });
    return openGuards({
      ...ports,
      state,
      owner,
      pauses,
      version,
      fuse: { limits: { ...FUSE_LIMITS, strong }, ephemeralNamespaces: [] },
    });
  }

  /** Z-30: a person accepts clusters that are not what they were: objects went while none lived. */
  async acceptClusters(): Promise<void> {
    const { composition } = this.#process ?? {};
    for (const { message } of composition?.checks() ?? []) {
      const hash = /zonekeeper approve ([0-9a-f]+)$/.exec(message)?.[1];
      if (hash !== undefined) await composition?.approve(hash);
    }
  }

  /**
   * A person accepts the cluster, and approves everything that the fuse holds, each set once, also
   * where several accounts show the zone. `onApproved` hears `name type` of the removals of a set
   * before the first of them can be sent.
   */
  async approve(onApproved: (removals: readonly string[]) => void): Promise<void> {
    const { composition } = this.#process ?? {};
    for (const { hash, items, removals } of this.heldSets()) {
      const held = composition?.zones().flatMap(({ heldSets }) => heldSets) ?? [];
      if (!held.some((set) => set.hash === hash)) continue;
      onApproved(items.slice(0, removals).map(({ name, type }) => `${name} ${type}`));
      await composition?.approve(hash);
    }
    // A cluster of which half is gone since the last process (Z-30).
    for (const { message } of composition?.checks() ?? []) {
      const hash = /zonekeeper approve ([0-9a-f]+)/.exec(message)?.[1];
      if (hash !== undefined) await composition?.approve(hash);
    }
  }

  /** What the fuse holds, as it is stored. */
  heldSets(): readonly HeldSet[] {
    const kept = [...this.#state.texts].filter(([key]) => key.startsWith("fuse/"));
    const sets = kept.flatMap(([, text]) => heldSets(readFuse(text)));
    return [...new Map(sets.map((set) => [set.hash, set])).values()];
  }

  /** Z-17: the domain of the installation's Lease; empty = it has none. */
  get domain(): string {
    return this.#lease?.domain ?? "";
  }

  /** A person takes the owner id from another installation (`zonekeeper owner take --yes`). */
  async takeOwner(from: string): Promise<void> {
    const takings = (await this.#process?.composition.takeOwner(from, false)) ?? [];
    const failed = takings.find((taking) => "trouble" in taking);
    if (failed !== undefined) throw new Error(`${failed.zone} was not taken: ${failed.trouble}`);
  }

  /**
   * A person takes over what the owner `from` has (`zonekeeper transfer --force --yes`); answers
   * the names.
   */
  transfer(from: string): Promise<readonly string[]> {
    return this.#order({ verb: "transfer", from, to: this.owner, names: null }, () => true);
  }

  /**
   * A person orders these orphans away (`zonekeeper ownership remove --yes`), each as it is shown;
   * answers their names.
   */
  removeOrphans(isMeant: (row: OwnershipRow) => boolean): Promise<readonly string[]> {
    return this.#order({ verb: "remove", from: null, to: null, names: null }, isMeant);
  }

  async #order(
    command: RightsCommand,
    isMeant: (row: OwnershipRow) => boolean,
  ): Promise<readonly string[]> {
    const { composition } = this.#process ?? {};
    const choices = chooseRights((await composition?.rights(null)) ?? [], command);
    const ordered = choices.flatMap(({ zone, row: key, order }) =>
      order === null || !isMeant(key) ? [] : [{ zone, request: { key, order } }],
    );
    for (const { zone, request } of ordered) composition?.order(zone, [request]);
    return ordered.map(({ request }) => request.key.name);
  }

  /** `kill -9`. */
  kill(): void {
    if (this.#process === null) return;
    this.#note("process killed", {});
    this.#end(this.#process);
    this.#process = null;
  }

  /** Whether the process that serves may not write. */
  get isDryRun(): boolean {
    return this.#process?.sender.dryRun ?? false;
  }

  /** F18: the form of markers that the serving process writes; null = there is none. */
  get template(): Sender["template"] | null {
    return this.#process?.sender.template ?? null;
  }

  /** Whether a process lives. */
  get isRunning(): boolean {
    return this.#process !== null;
  }

  /**
   * Z-4: the process has seen the object without any address for the whole grace; never without a
   * grace.
   */
  isGraceOver(resource: string, { startedAtMs }: Pick<Sender, "startedAtMs">): boolean {
    const { clock, noTargetsGraceMs } = this.#options;
    const lostAtMs = this.truth.addresslessSince(resource);
    if (noTargetsGraceMs === undefined || lostAtMs === null) return false;
    const seenAtMs = Math.max(lostAtMs, startedAtMs);
    return clock.monotonicMs() - seenAtMs >= noTargetsGraceMs;
  }

  /**
   * F01: an API server that lags: what it tells of one kind is late by up to `byMs`, for a while.
   */
  lag(kind: KindRef, byMs: number, forMs: number): void {
    this.#note(`${kind.plural} are late by ${byMs} ms for ${forMs} ms`, {});
    const untilMs = this.#options.clock.monotonicMs() + forMs + byMs;
    this.truth.seenLateUntilMs = Math.max(this.truth.seenLateUntilMs, untilMs);
    for (const { view } of this.#alive()) view.lag(kind, byMs, forMs);
  }

  /** Two processes live or did a moment ago, and no fence says which of them leads. */
  get hasTwin(): boolean {
    const isRecent = this.#options.clock.monotonicMs() < this.#twinUntilMs;
    return this.#lease === null && (isRecent || this.#alive().length > 1);
  }

  /** Two processes lived at one time: each has seen objects that the other has not (Z-22). */
  get hadTwin(): boolean {
    return this.#twinUntilMs > 0;
  }

  /** False = another process was started after the one that sent a call. */
  isLatest(sender: Sender): boolean {
    return this.#process?.sender === sender;
  }

  /** Processes that live. */
  #alive(): readonly Process[] {
    return [...(this.#process === null ? [] : [this.#process]), ...this.#secondProcess];
  }

  /** F02, F03: the watch of one kind ends, or it may not be read. Ends by itself. */
  interrupt(kind: KindRef, state: "stale" | "forbidden", forMs: number): void {
    this.#options.note(`${this.owner}: watch of ${kind.plural} ${state} for ${forMs} ms`);
    for (const { view } of this.#alive()) view.interrupt(kind, state, forMs);
  }

  /**
   * F03, Z-3: discovery loses a kind, also for processes that start meanwhile; its objects are
   * still there.
   */
  loseKind(kind: KindRef, forMs: number): void {
    const { clock, note } = this.#options;
    note(`${this.owner}: discovery lacks ${kind.plural} for ${forMs} ms`);
    this.#gone.set(kindText(kind), clock.monotonicMs() + forMs);
    for (const { view } of this.#alive()) view.interrupt(kind, "absent", forMs);
  }

  /** Whether a Lookup could tell of an object now, by the serving process; null = no process. */
  get view(): ClusterView | null {
    return this.#process?.view ?? null;
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

  #crashed(process: Process): void {
    this.#note("process crashed at an external call", {});
    this.#end(process);
    this.#secondProcess.delete(process);
    if (this.#process === process) this.#process = null;
  }

  /** An ended process reaches nothing and its clock stops; a real one would be gone. */
  #end({ gate, view, clock, sender }: Process): void {
    sender.term?.end();
    gate.die();
    view.die();
    clock.die();
  }

  #note(what: string, how: StartHow): void {
    const { slow, ...others } = how;
    const late = slow === undefined ? "" : `, ${slow.kind.plural} listed after ${slow.forMs} ms`;
    const more = Object.keys(others).length === 0 ? "" : ` ${JSON.stringify(others)}`;
    this.#options.note(`${this.owner}: ${what}${late}${more}`);
  }
}

const nameOf = ({ name }: SourceRow): string => name;

interface InstanceInput {
  readonly how: StartHow;
  readonly gate: ProcessGate;
  readonly view: ProcessView;
  readonly clock: ProcessClock;
  readonly type: ProviderType;
  readonly term: SimTerm | null;
}

function noHttp(): never {
  throw new Error("the simulator has no network");
}

const NO_NET = {
  connectTcp: () => Promise.reject(new Error("the simulator has no network")),
  listenTcp: () => Promise.reject(new Error("the simulator has no network")),
  bindUdp: () => Promise.reject(new Error("the simulator has no network")),
};

/**
 * Providers differ in their settings only, so that each is an account of its own that shows the
 * same zone.
 */
function provider(index: number): KubeObject {
  const name = `dns${index === 0 ? "" : index}`;
  const spec = { type: "memory", secretRef: { name: "dns" }, providerConfig: { index } };
  return { ...named("dns.gardener.cloud/v1alpha1", "DNSProvider", name), spec };
}

function named(apiVersion: string, kind: string, name: string): KubeObject {
  return { apiVersion, kind, metadata: { namespace: NAMESPACE, name } };
}
