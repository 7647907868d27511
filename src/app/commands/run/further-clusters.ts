/**
 * The further source clusters of a process: one connection each, made and ended as they are named,
 * and which of them the composition of now reads. One that has never been read, or may not be,
 * takes no part: its records stay, and no other cluster waits for it.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { type Clock, sleep, type Timer } from "@zonekeeper/base/ports/clock";
import type { ClusterAccess } from "../../compose/controllers-options.ts";
import type { FurtherStatus } from "../../compose/further-status.ts";
import type { HealthCheck } from "../../compose/instance.ts";
import { trouble } from "../../compose/zone-checks.ts";
import { FurtherCluster, type FurtherPorts } from "./further-cluster.ts";
import type { GivenCluster } from "./given-cluster.ts";

/** What they are made with. */
export interface FurtherOptions extends Omit<FurtherPorts, "takenBy" | "onChange"> {
  /** Clusters of our own: ids, which no further cluster may have, and UIDs as far as known. */
  readonly own: () => readonly { readonly id: string; readonly uid: string | null }[];
  /** What is wrong with one, each time when that is another text; empty = nothing any more. */
  readonly tell: (given: GivenCluster, message: string) => void;
}

/** How long changes are gathered before the composition is made anew. */
const GATHER_MS = 500;
/** A start waits no longer for clusters that answer to be read. */
const FIRST_READING_MS = 10_000;
const LOOK_MS = 50;

/** Until closed. */
export class FurtherClusters {
  readonly #options: FurtherOptions;
  readonly #clusters = new Map<string, FurtherCluster>();
  /** What each origin of clusters names, in the order of the first time. */
  readonly #given = new Map<string, readonly GivenCluster[]>();
  /** Named, and not used: another one has the id. By origin. */
  readonly #refused = new Map<string, FurtherStatus>();
  readonly #told = new Map<string, string>();
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
    for (const one of this.#inOrder()) {
      const first = this.#options.own().find(({ id }) => id === one.id);
      const holder = first === undefined ? named.get(one.id)?.origin : "a cluster of our own";
      if (holder === undefined) named.set(one.id, one);
      else this.#refuse(one, holder);
    }
    for (const [id, cluster] of this.#clusters) if (!named.has(id)) this.#end(cluster);
    for (const [id, one] of named) {
      const present = this.#clusters.get(id);
      if (present === undefined) this.#clusters.set(id, this.#open(one));
      else present.give(one);
    }
    this.#changed();
  }

  /** Those that the composition of now reads. */
  get joined(): readonly ClusterAccess[] {
    return [...this.#joined.values()];
  }

  /** See `ObjectObserver`. */
  readonly awaited = (id: string): string | null => {
    const cluster = this.#clusters.get(id);
    if (cluster === undefined) return null;
    const { mode, state, message } = cluster.status();
    if (mode === "observe") return `cluster ${id} is only observed (${cluster.given.origin})`;
    return `cluster ${id} is not read now: ${state}${message === "" ? "" : `: ${message}`}`;
  };

  /** Calls the listener when `joined` is another set; the answer ends the subscription. */
  onJoined(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** By id. */
  statuses(): readonly FurtherStatus[] {
    const all = [...this.#clusters.values()].map((cluster) => cluster.status());
    return [...all, ...this.#refused.values()].sort(
      (a, b) => compareText(a.id, b.id) || compareText(a.origin, b.origin),
    );
  }

  checks(): readonly HealthCheck[] {
    return this.statuses().map(({ id, state, message }) => {
      const name = `further-cluster ${id}`;
      const text = message === "" ? state : `${state}: ${message}`;
      return state === "Live" && message === "" ? { name, ok: true, message } : trouble(name, text);
    });
  }

  /** Resolves when each cluster was read or does not answer, after ten seconds, or at the stop. */
  async firstReading(clock: Clock, stop: AbortSignal): Promise<void> {
    const untilMs = clock.monotonicMs() + FIRST_READING_MS;
    const isOver = (): boolean =>
      [...this.#clusters.values()].every(({ isSettled }) => isSettled) ||
      clock.monotonicMs() >= untilMs;
    while (!stop.aborted && !isOver()) await sleep(clock, LOOK_MS, stop);
    this.#review();
  }

  async close(): Promise<void> {
    this.#gathering?.cancel();
    this.#listeners.clear();
    await Promise.all([...this.#clusters.values()].map((cluster) => cluster.close()));
  }

  /** Who has an id keeps it; else options come before files, and these before Secrets. */
  #inOrder(): readonly GivenCluster[] {
    const all = [...this.#given.values()].flat();
    const isPresent = ({ id, origin }: GivenCluster): boolean =>
      this.#clusters.get(id)?.given.origin === origin;
    return [...all.filter(isPresent), ...all.filter((one) => !isPresent(one))];
  }

  #refuse(given: GivenCluster, holder: string): void {
    const { id, mode, origin } = given;
    const message = `${origin}: ${holder} has the id ${id} already, and keeps it; choose another id, or remove one of them`;
    const rest = { server: "", objects: 0, answeredAtMs: null };
    this.#refused.set(origin, { id, mode, origin, state: "Refused", message, ...rest });
    this.#tell(given, message);
  }

  #open(given: GivenCluster): FurtherCluster {
    return new FurtherCluster(given, {
      ...this.#options,
      takenBy: (uid, id) => this.#takenBy(uid, id),
      onChange: () => this.#changed(),
    });
  }

  #takenBy(uid: string, id: string): string | null {
    const own = this.#options.own().find((one) => one.uid === uid);
    if (own !== undefined) return `this program (${own.id})`;
    const other = [...this.#clusters.values()].find((one) => one.id !== id && one.uid === uid);
    return other?.given.origin ?? null;
  }

  #end(cluster: FurtherCluster): void {
    this.#clusters.delete(cluster.id);
    this.#told.delete(cluster.given.origin);
    const { id, origin } = cluster.given;
    this.#options.ports.log.info("further cluster is not named any more", { cluster: id, origin });
    // The composition stops reading it first.
    this.#options.ports.clock.setTimer(2 * GATHER_MS, () => void cluster.close());
  }

  #changed(): void {
    for (const cluster of this.#clusters.values())
      this.#tell(cluster.given, cluster.status().message);
    this.#gathering ??= this.#options.ports.clock.setTimer(GATHER_MS, () => {
      this.#gathering = null;
      if (this.#review()) for (const listener of this.#listeners) listener();
    });
  }

  #tell(given: GivenCluster, message: string): void {
    if ((this.#told.get(given.origin) ?? "") === message) return;
    this.#told.set(given.origin, message);
    this.#options.tell(given, message);
  }

  /**
   * A composition goes on with clusters that stop answering: what they want is known. A new one has
   * to read them, and leaves them out until they answer. True = `joined` is another set.
   */
  #review(): boolean {
    const active = [...this.#clusters.values()].flatMap((cluster) => {
      const { access, given, isReadable } = cluster;
      // clause: unread-cluster-takes-no-part
      if (access === null || given.mode !== "active" || !isReadable) return [];
      return [{ id: cluster.id, access, isAnswering: cluster.isAnswering }];
    });
    const isJoined = ({ id, access }: (typeof active)[number]): boolean =>
      this.#joined.get(id) === access;
    const kept = active.filter((one) => isJoined(one) || one.isAnswering);
    if (kept.length === this.#joined.size && kept.every(isJoined)) return false;
    const next = active.filter(({ isAnswering }) => isAnswering);
    this.#joined = new Map(next.map(({ id, access }) => [id, access]));
    return true;
  }
}
