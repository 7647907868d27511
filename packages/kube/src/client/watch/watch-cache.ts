/**
 * The watch cache of one cluster: a ClusterView whose kinds are listed and watched from their first
 * subscription on. It only reads; a reflector keeps each kind current.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { Random } from "@zonekeeper/base/ports/random";
import type { KindRef, KubeObject } from "../../objects/kubernetes.ts";
import { apiVersionOf, kindText } from "../../objects/kubernetes.ts";
import type {
  ClusterView,
  KindState,
  Lookup,
  ObjectIndex,
  ViewListener,
} from "../../ports/cluster-view.ts";
import type { ApiClient } from "../requests/api-client.ts";
import type { Projection } from "./decode-object.ts";
import { type ServerTraits, WATCH_TIMING, type WatchTiming } from "./watch-timing.ts";
import { WatchedKind } from "./watched-kind.ts";

/** What the cache works with. */
export interface WatchCacheOptions {
  readonly clusterId: string;
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Reads namespaced kinds in this namespace only; absent = in all. */
  readonly namespace?: string;
  /** Kinds that are read by namespace where all may not be read, by `kindText`. Absent = none. */
  readonly byNamespace?: ReadonlySet<string>;
  /** Makes objects smaller before they are kept, by `kindText`. */
  readonly projections?: ReadonlyMap<string, Projection>;
  /** Default WATCH_TIMING. */
  readonly timing?: WatchTiming;
}

/** Objects of one cluster. Nothing is asked from the server before the first `subscribe`. */
export class WatchCache implements ClusterView {
  readonly clusterId: string;
  readonly #options: WatchCacheOptions;
  readonly #kinds = new Map<string, WatchedKind>();
  readonly #traits: ServerTraits = { streamsLists: true, user: null };

  constructor(options: WatchCacheOptions) {
    this.clusterId = options.clusterId;
    this.#options = options;
  }

  get(kind: KindRef, namespace: string, name: string): Lookup<KubeObject> {
    const watched = this.#kinds.get(keyOf(kind));
    return watched === undefined ? notWatched(kind) : watched.get(namespace, name);
  }

  list(kind: KindRef, namespace?: string): Lookup<readonly KubeObject[]> {
    const watched = this.#kinds.get(keyOf(kind));
    return watched === undefined ? notWatched(kind) : watched.list(namespace);
  }

  indexed(index: ObjectIndex, value: string, namespace?: string): Lookup<readonly KubeObject[]> {
    const watched = this.#kinds.get(keyOf(index.kind));
    if (watched === undefined) return notWatched(index.kind);
    return watched.indexed(index, value, namespace);
  }

  state(kind: KindRef, namespace?: string): KindState {
    return this.#kinds.get(keyOf(kind))?.state(namespace) ?? "syncing";
  }

  trouble(kind: KindRef, namespace?: string): string | null {
    return this.#kinds.get(keyOf(kind))?.trouble(namespace) ?? null;
  }

  ageMs(kind: KindRef): number | null {
    return this.#kinds.get(keyOf(kind))?.ageMs() ?? null;
  }

  newest(kind: KindRef): string | null {
    return this.#kinds.get(keyOf(kind))?.newest ?? null;
  }

  subscribe(kind: KindRef, listener: ViewListener): () => void {
    return this.#watched(kind).subscribe(listener);
  }

  readIn(kind: KindRef, namespace: string): () => void {
    return this.#watched(kind).readIn(namespace);
  }

  /**
   * Ends all watches. The content stays readable; the listeners are not called any more.
   * Idempotent.
   */
  async stop(): Promise<void> {
    await Promise.all([...this.#kinds.values()].map((watched) => watched.stop()));
  }

  /** The kind, which begins to be watched here if it is not watched yet. */
  #watched(kind: KindRef): WatchedKind {
    const key = keyOf(kind);
    const watched = this.#kinds.get(key) ?? this.#start(kind);
    this.#kinds.set(key, watched);
    return watched;
  }

  #start(kind: KindRef): WatchedKind {
    const { projections, byNamespace, timing, ...options } = this.#options;
    const project = projections?.get(kindText(kind));
    return new WatchedKind({
      ...options,
      kind,
      isByNamespace: byNamespace?.has(kindText(kind)) === true,
      traits: this.#traits,
      timing: timing ?? WATCH_TIMING,
      ...(project === undefined ? {} : { project }),
    });
  }
}

function keyOf(kind: KindRef): string {
  return `${apiVersionOf(kind)}/${kind.plural}`;
}

function notWatched(kind: KindRef): { readonly state: "unknown"; readonly reason: string } {
  return { state: "unknown", reason: `${kindText(kind)}: not watched` };
}
