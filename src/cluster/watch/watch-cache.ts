/**
 * The watch cache of one cluster: a ClusterView whose kinds are listed and watched from their first
 * subscription on. It only reads; a reflector keeps each kind current.
 */
import type { KindRef, KubeObject } from "../../model/kubernetes.ts";
import { apiVersionOf, kindText } from "../../model/kubernetes.ts";
import type { Clock } from "../../ports/clock.ts";
import type {
  ClusterView,
  KindState,
  Lookup,
  ObjectIndex,
  ViewListener,
} from "../../ports/cluster-view.ts";
import type { Log } from "../../ports/log.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { Random } from "../../ports/random.ts";
import type { ApiClient } from "../requests/api-client.ts";
import type { Projection } from "./decode-object.ts";
import { KindStore } from "./kind-store.ts";
import { Reflector, type ServerTraits } from "./reflector.ts";
import { WATCH_TIMING, type WatchTiming } from "./watch-timing.ts";

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
  /** Makes objects smaller before they are kept, by `kindText`. */
  readonly projections?: ReadonlyMap<string, Projection>;
  /** Default WATCH_TIMING. */
  readonly timing?: WatchTiming;
}

interface WatchedKind {
  readonly store: KindStore;
  readonly reflector: Reflector;
  readonly finished: Promise<void>;
}

/** Objects of one cluster. Nothing is asked from the server before the first `subscribe`. */
export class WatchCache implements ClusterView {
  readonly clusterId: string;
  readonly #options: WatchCacheOptions;
  readonly #kinds = new Map<string, WatchedKind>();
  readonly #traits: ServerTraits = { streamsLists: true };
  readonly #stopping = new AbortController();

  constructor(options: WatchCacheOptions) {
    this.clusterId = options.clusterId;
    this.#options = options;
  }

  get(kind: KindRef, namespace: string, name: string): Lookup<KubeObject> {
    const watched = this.#kinds.get(keyOf(kind));
    return watched === undefined ? notWatched(kind) : watched.store.get(namespace, name);
  }

  list(kind: KindRef, namespace?: string): Lookup<readonly KubeObject[]> {
    const watched = this.#kinds.get(keyOf(kind));
    return watched === undefined ? notWatched(kind) : watched.store.list(namespace);
  }

  indexed(index: ObjectIndex, value: string, namespace?: string): Lookup<readonly KubeObject[]> {
    const watched = this.#kinds.get(keyOf(index.kind));
    if (watched === undefined) return notWatched(index.kind);
    return watched.store.indexed(index, value, namespace);
  }

  state(kind: KindRef): KindState {
    return this.#kinds.get(keyOf(kind))?.store.state ?? "syncing";
  }

  trouble(kind: KindRef): string | null {
    return this.#kinds.get(keyOf(kind))?.reflector.trouble ?? null;
  }

  newest(kind: KindRef): string | null {
    return this.#kinds.get(keyOf(kind))?.store.newest ?? null;
  }

  subscribe(kind: KindRef, listener: ViewListener): () => void {
    const key = keyOf(kind);
    const watched = this.#kinds.get(key) ?? this.#start(kind);
    this.#kinds.set(key, watched);
    return watched.store.subscribe(listener);
  }

  /**
   * Ends all watches. The content stays readable; the listeners are not called any more.
   * Idempotent.
   */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error("the watch cache stops"));
    await Promise.all([...this.#kinds.values()].map(({ finished }) => finished));
  }

  #start(kind: KindRef): WatchedKind {
    const { namespace, projections, timing, ...ports } = this.#options;
    const store = new KindStore(kind, ports.log);
    const project = projections?.get(kindText(kind));
    const reflector = new Reflector({
      ...ports,
      store,
      traits: this.#traits,
      timing: timing ?? WATCH_TIMING,
      ...(namespace === undefined || !kind.namespaced ? {} : { namespace }),
      ...(project === undefined ? {} : { project }),
    });
    // Not now: the subscriber has to be in place before the first change. A bug rejects and ends
    // the process.
    const finished = Promise.resolve().then(() => reflector.run(this.#stopping.signal));
    return { store, reflector, finished };
  }
}

function keyOf(kind: KindRef): string {
  return `${apiVersionOf(kind)}/${kind.plural}`;
}

function notWatched(kind: KindRef): { readonly state: "unknown"; readonly reason: string } {
  return { state: "unknown", reason: `${kindText(kind)}: not watched` };
}
