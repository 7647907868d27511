/**
 * The further source clusters of a process: opens and ends a connection for each, as options, a
 * folder and Secrets name them, and decides which of them the present composition (the running
 * controllers) reads. A cluster that was never read, or may not be, takes no part: its records
 * stay, and no other cluster waits for it.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { type Clock, sleep, type Timer } from "@zonekeeper/base/ports/clock";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterAccess } from "../../compose/controllers-options.ts";
import type { FurtherStatus, HealthCheck } from "../../compose/instance.ts";
import { trouble } from "../../compose/zone-checks.ts";
import { FurtherCluster, type FurtherPorts } from "./further-cluster.ts";
import type { GivenCluster } from "./given-clusters.ts";
import { nextJoined } from "./joined-clusters.ts";

/** Everything that connections are made with, and who is told. */
export interface FurtherOptions extends Omit<FurtherPorts, "takenBy" | "onChange"> {
  /**
   * The program's own clusters: ids, which no further cluster may have, and UIDs as far as known.
   */
  readonly own: () => readonly { readonly id: string; readonly uid: string | null }[];
  /** Origins (folder, Secrets) that must have named their clusters before the first composition. */
  readonly awaitedOrigins: readonly string[];
  /** Called when the trouble of a cluster is another one; empty = none any more. */
  readonly tell: (given: GivenCluster, message: string) => void;
  /** Whether the Secret does not exist, asked past every cache. Rejects when there is no answer. */
  readonly isGone: (secret: KubeObject) => Promise<boolean>;
}

/**
 * Milliseconds after the deletion of a Secret before the records of its cluster are removed: the
 * Secret may be created again.
 */
const REMOVAL_MS = 300_000;

/** Milliseconds for which changes are gathered before a new composition is made. */
const GATHER_MS = 500;
/** Milliseconds that a start waits at most until the clusters that answer are listed. */
const FIRST_LISTS_MS = 10_000;
const POLL_MS = 50;

/** The removal of a cluster and its records, because its Secret was deleted. */
type Removal = { readonly given: GivenCluster } & (
  | { readonly is: "awaited"; readonly timer: Timer }
  | { readonly is: "ordered" }
);

/** Runs until closed. */
export class FurtherClusters {
  readonly #options: FurtherOptions;
  readonly #clusters = new Map<string, FurtherCluster>();
  /** The clusters that each origin names, in the order in which origins named some first. */
  readonly #given = new Map<string, readonly GivenCluster[]>();
  /** Clusters that are not used because another one has the id, by origin. */
  readonly #refused = new Map<string, FurtherStatus>();
  readonly #reported = new Map<string, string>();
  /** By id. */
  readonly #removals = new Map<string, Removal>();
  readonly #listeners = new Set<() => void>();
  #joined: ReadonlyMap<string, ClusterAccess> = new Map();
  #gathering: Timer | null = null;

  constructor(options: FurtherOptions) {
    this.#options = options;
  }

  /** Replaces what this origin of clusters (an option, a folder, Secrets) names. */
  settle(from: string, given: readonly GivenCluster[]): void {
    this.#given.set(from, given);
    this.#refused.clear();
    const named = new Map<string, GivenCluster>();
    // All named clusters by precedence: the one that has its id already, then options, files,
    // Secrets.
    const all = [...this.#given.values()].flat();
    const isPresent = ({ id, origin }: GivenCluster): boolean =>
      this.#clusters.get(id)?.given.origin === origin;
    for (const one of [...all.filter(isPresent), ...all.filter((one) => !isPresent(one))]) {
      const first = this.#options.own().find(({ id }) => id === one.id);
      const holder = first === undefined ? named.get(one.id)?.origin : "a cluster of our own";
      if (holder === undefined) {
        named.set(one.id, one);
        continue;
      }
      const { id, origin } = one;
      const message = `${origin}: ${holder} has the id ${id} already, and keeps it; choose another id, or remove one of them`;
      this.#refused.set(origin, unconnected(one, "Refused", message));
      this.#tell(one, message);
    }
    for (const id of named.keys()) this.#dropRemoval(id);
    for (const [id, cluster] of this.#clusters) if (!named.has(id)) this.#end(cluster);
    for (const [id, one] of named) {
      const present = this.#clusters.get(id);
      if (present === undefined) this.#clusters.set(id, this.#open(one));
      else present.give(one);
    }
    this.#changed(this.#clusters.values());
  }

  /** The clusters that the present composition reads. */
  get joined(): readonly ClusterAccess[] {
    return [...this.#joined.values()];
  }

  /** The clusters that are only observed. */
  get observed(): readonly ClusterAccess[] {
    return [...this.#clusters.values()].flatMap(({ access, given }) =>
      access === null || given.mode !== "observe" ? [] : [access],
    );
  }

  /**
   * The lowest rank of the clusters of this region; null = none has a rank, or none is of the
   * region.
   */
  rankIn(region: string | null): number | null {
    const ranks = [...this.#clusters.values()].flatMap(({ given }) =>
      given.region === region && given.rank !== null ? [given.rank] : [],
    );
    return ranks.length === 0 ? null : Math.min(...ranks);
  }

  /** See `ObjectObserver`. */
  readonly awaited = (id: string): string | null => {
    const cluster = this.#clusters.get(id);
    if (cluster === undefined) return null;
    const { mode, state, message } = cluster.status();
    if (mode === "observe") return `cluster ${id} is only observed (${cluster.given.origin})`;
    return `cluster ${id} is not read now: ${state}${message === "" ? "" : `: ${message}`}`;
  };

  /** See `ObjectObserver`. */
  readonly isRemoved = (id: string): boolean => this.#removals.get(id)?.is === "ordered";

  /**
   * Calls the listener when `joined` has changed, or a cluster was removed; the answer ends the
   * subscription.
   */
  onJoined(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** By id. */
  statuses(): readonly FurtherStatus[] {
    const all = [...this.#clusters.values()].map((cluster) => cluster.status());
    const removed = [...this.#removals.values()].map(removalStatus);
    return [...all, ...this.#refused.values(), ...removed].sort(
      (a, b) => compareText(a.id, b.id) || compareText(a.origin, b.origin),
    );
  }

  checks(): readonly HealthCheck[] {
    const named = this.statuses().filter(({ state }) => state !== "Removed");
    return named.map(({ id, state, message }) => {
      const name = `further-cluster ${id}`;
      const text = message === "" ? state : `${state}: ${message}`;
      return state === "Live" && message === "" ? { name, ok: true, message } : trouble(name, text);
    });
  }

  /** Reports all troubles again, for a new leader: a standby has written no Events. */
  tellAgain(): void {
    this.#reported.clear();
    this.#changed(this.#clusters.values());
  }

  /** Resolves when each cluster was read or does not answer, after ten seconds, or at the stop. */
  async firstLists(clock: Clock, stop: AbortSignal): Promise<void> {
    const untilMs = clock.monotonicMs() + FIRST_LISTS_MS;
    const { awaitedOrigins } = this.#options;
    const isOver = (): boolean =>
      (awaitedOrigins.every((from) => this.#given.has(from)) && this.#areSettled()) ||
      clock.monotonicMs() >= untilMs;
    while (!stop.aborted && !isOver()) await sleep(clock, POLL_MS, stop);
    this.#review();
  }

  async close(): Promise<void> {
    this.#gathering?.cancel();
    for (const id of [...this.#removals.keys()]) this.#dropRemoval(id);
    this.#listeners.clear();
    await Promise.all([...this.#clusters.values()].map((cluster) => cluster.close()));
  }

  #areSettled(): boolean {
    return [...this.#clusters.values()].every(({ isSettled }) => isSettled);
  }

  #open(given: GivenCluster): FurtherCluster {
    const cluster: FurtherCluster = new FurtherCluster(given, {
      ...this.#options,
      takenBy: (uid, id) => {
        const own = this.#options.own().find((one) => one.uid === uid);
        if (own !== undefined) return `this program (${own.id})`;
        const other = [...this.#clusters.values()].find((one) => one.id !== id && one.uid === uid);
        return other?.given.origin ?? null;
      },
      onChange: () => this.#changed([cluster]),
    });
    return cluster;
  }

  #end(cluster: FurtherCluster): void {
    this.#clusters.delete(cluster.id);
    this.#reported.delete(cluster.given.origin);
    const { id, origin } = cluster.given;
    this.#options.ports.log.info("further cluster is not named any more", { cluster: id, origin });
    if (cluster.given.onRemoval === "delete" && cluster.given.mode === "active")
      this.#awaitRemoval(cluster.given);
    // Closed later: the composition must stop reading it first.
    this.#options.ports.clock.setTimer(2 * GATHER_MS, () => void cluster.close());
  }

  #awaitRemoval(given: GivenCluster): void {
    const timer = this.#options.ports.clock.setTimer(REMOVAL_MS, () => void this.#remove(given));
    this.#removals.set(given.id, { given, is: "awaited", timer });
  }

  /** Removes the records of the cluster, if its Secret certainly does not exist. */
  async #remove(given: GivenCluster): Promise<void> {
    const { id, origin, secret } = given;
    const awaited = this.#removals.get(id);
    if (awaited === undefined || secret === null) return;
    const isGone = await this.#options.isGone(secret).catch(() => null);
    if (this.#removals.get(id) !== awaited) return;
    if (isGone === null) return this.#awaitRemoval(given);
    if (!isGone) return this.#dropRemoval(id);
    this.#options.ports.log.warn("further cluster is removed, and its records", {
      cluster: id,
      origin,
    });
    this.#removals.set(id, { given, is: "ordered" });
    for (const listener of this.#listeners) listener();
  }

  #dropRemoval(id: string): void {
    const removal = this.#removals.get(id);
    if (removal?.is === "awaited") removal.timer.cancel();
    this.#removals.delete(id);
  }

  /** Reports these clusters, and has the set of joined clusters reviewed soon. */
  #changed(clusters: Iterable<FurtherCluster>): void {
    for (const { given, message } of clusters) this.#tell(given, message);
    const { clock } = this.#options.ports;
    this.#gathering ??= this.#gather(clock.monotonicMs() + FIRST_LISTS_MS);
  }

  /**
   * Waits while more clusters are being read, 10 seconds at most, since each new composition plans
   * all names again.
   */
  #gather(untilMs: number): Timer {
    const { clock } = this.#options.ports;
    return clock.setTimer(GATHER_MS, () => {
      const isLate = clock.monotonicMs() >= untilMs;
      // One that leaves the joined set would be closed soon.
      const next = this.#next() ?? this.#joined;
      const onlyJoin = [...this.#joined].every(([id, access]) => next.get(id) === access);
      if (!isLate && !this.#areSettled() && onlyJoin) {
        this.#gathering = this.#gather(untilMs);
        return;
      }
      this.#gathering = null;
      if (this.#review()) for (const listener of this.#listeners) listener();
    });
  }

  #tell(given: GivenCluster, message: string): void {
    if ((this.#reported.get(given.origin) ?? "") === message) return;
    this.#reported.set(given.origin, message);
    this.#options.tell(given, message);
  }

  /** Decides the joined set anew. True = it has changed. */
  #review(): boolean {
    const next = this.#next();
    if (next !== null) this.#joined = next;
    return next !== null;
  }

  #next(): ReadonlyMap<string, ClusterAccess> | null {
    const rankOf = ({ given }: FurtherCluster): number => given.rank ?? Number.MAX_SAFE_INTEGER;
    const byRank = [...this.#clusters.values()].sort((a, b) => rankOf(a) - rankOf(b));
    return nextJoined(byRank, this.#joined);
  }
}

function removalStatus({ given, is }: Removal): FurtherStatus {
  const until = is === "ordered" ? "" : " within minutes, unless the cluster is named again";
  const message = `${given.origin} was deleted: the records of the cluster go${until}`;
  return unconnected(given, "Removed", message);
}

/** The status of a cluster to which there is no connection. */
function unconnected(
  { id, mode, origin }: GivenCluster,
  state: FurtherStatus["state"],
  message: string,
): FurtherStatus {
  return { id, mode, origin, state, message, server: "", objects: 0, answeredAtMs: null };
}
