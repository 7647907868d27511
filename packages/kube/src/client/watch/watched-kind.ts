/**
 * One kind of a cluster, kept current by reflectors: one for all namespaces, or, where that is
 * forbidden and the kind may be read by namespace, one for each namespace that somebody asks for. A
 * namespace that cannot be read disturbs no other.
 */
import { addCount } from "@zonekeeper/base/grouped-by";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import { type KindRef, type KubeObject, kindText } from "../../objects/kubernetes.ts";
import type { KindState, Lookup, ObjectIndex, ViewListener } from "../../ports/cluster-view.ts";
import { KindStore } from "./kind-store.ts";
import { Reflector, type ReflectorOptions } from "./reflector.ts";

/** What all its reflectors have in common. */
export interface WatchedKindOptions
  extends Omit<ReflectorOptions, "store" | "showGauges" | "hasSubstitute" | "reviewsLists"> {
  readonly kind: KindRef;
  /** True = by namespace where all may not be read. */
  readonly isByNamespace: boolean;
}

/** One reflector with its store. */
interface Scope {
  readonly store: KindStore;
  readonly reflector: Reflector;
  readonly ending: AbortController;
  readonly finished: Promise<void>;
}

interface Subscriber {
  readonly listener: ViewListener;
  /** Functions that end its subscriptions of single scopes. */
  readonly ends: Set<() => void>;
}

/** One kind of a cluster. Its content stays readable after `stop`. */
export class WatchedKind {
  readonly #options: WatchedKindOptions;
  readonly #all: Scope;
  /** Scopes by namespace; empty where all namespaces may be read. */
  readonly #scopes = new Map<string, Scope>();
  /** By namespace: how many calls of `readIn` are not ended yet. */
  readonly #asked = new Map<string, number>();
  readonly #subscribers = new Set<Subscriber>();
  /** Ends of scopes that are closed and still run. */
  readonly #ending = new Set<Promise<void>>();
  readonly #gauges: WatchGauges;
  #isStopped = false;

  constructor(options: WatchedKindOptions) {
    this.#options = options;
    this.#gauges = new WatchGauges(options, () => this.ageMs());
    this.#all = this.#open(options.namespace);
    this.#all.store.subscribe({ onChange: () => {}, onState: () => this.#rearrange() });
    this.#showGauges();
  }

  get(namespace: string, name: string): Lookup<KubeObject> {
    const scope = this.#isNarrow ? this.#scopes.get(namespace) : this.#all;
    return scope === undefined ? this.#unasked(namespace) : scope.store.get(namespace, name);
  }

  list(namespace?: string): Lookup<readonly KubeObject[]> {
    return this.#joined((store) => store.list(namespace), namespace);
  }

  indexed(index: ObjectIndex, value: string, namespace?: string): Lookup<readonly KubeObject[]> {
    return this.#joined((store) => store.indexed(index, value, namespace), namespace);
  }

  /** Without `namespace`, namespaces in trouble do not count: they disturb no other. */
  state(namespace?: string): KindState {
    if (!this.#isNarrow) return this.#all.store.state;
    if (namespace !== undefined) return this.#scopes.get(namespace)?.store.state ?? "forbidden";
    const scopes = [...this.#scopes.values()];
    const sound = scopes.filter(({ reflector }) => reflector.trouble === null);
    if (sound.some(({ store }) => store.state === "syncing")) return "syncing";
    const broken = scopes.find(({ store }) => ["syncing", "stale"].includes(store.state));
    return sound.length > 0 || broken === undefined ? "live" : broken.store.state;
  }

  trouble(namespace?: string): string | null {
    if (!this.#isNarrow) return this.#all.reflector.trouble;
    if (namespace !== undefined)
      return (this.#scopes.get(namespace) ?? this.#all).reflector.trouble;
    const troubles = [...this.#scopes.values()].flatMap(({ reflector }) => reflector.trouble ?? []);
    return troubles.length === 0 ? null : `${troubles.length} namespaces: ${troubles[0]}`;
  }

  get newest(): string | null {
    return this.#all.store.newest;
  }

  /** The objects that are known are replayed before this returns. */
  subscribe(listener: ViewListener): () => void {
    const subscriber: Subscriber = { listener, ends: new Set() };
    this.#subscribers.add(subscriber);
    // A namespace that is opened meanwhile subscribes all subscribers itself.
    const scopes = [...this.#scopes];
    this.#follow(subscriber, this.#all, null);
    for (const [namespace, scope] of scopes) this.#follow(subscriber, scope, namespace);
    return () => {
      this.#subscribers.delete(subscriber);
      for (const end of [...subscriber.ends]) end();
    };
  }

  /**
   * Reads the namespace also where reading all namespaces is forbidden, until the returned function
   * is called.
   */
  readIn(namespace: string): () => void {
    addCount(this.#asked, namespace, 1);
    this.#rearrange();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      addCount(this.#asked, namespace, -1);
      this.#rearrange();
    };
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#gauges.close();
    const scopes = [this.#all, ...this.#scopes.values()];
    for (const { ending } of scopes) ending.abort(new Error("the watch cache stops"));
    await Promise.all([...scopes.map(({ finished }) => finished), ...this.#ending]);
  }

  /** True = all namespaces may not be read, so that each one is read by itself. */
  get #isNarrow(): boolean {
    const { isByNamespace, namespace } = this.#options;
    return isByNamespace && namespace === undefined && this.#all.store.state === "forbidden";
  }

  /** Opens and closes scopes of namespaces, as the state of the kind and `readIn` ask for. */
  #rearrange(): void {
    if (this.#isStopped) return;
    const wanted = this.#isNarrow ? new Set(this.#asked.keys()) : new Set<string>();
    for (const [namespace, { ending, finished }] of this.#scopes) {
      if (wanted.has(namespace)) continue;
      this.#scopes.delete(namespace);
      ending.abort(new Error("the namespace is not read any more"));
      const done = finished.then(() => void this.#ending.delete(done));
      this.#ending.add(done);
    }
    for (const namespace of wanted) if (!this.#scopes.has(namespace)) this.#begin(namespace);
    this.#showGauges();
  }

  #begin(namespace: string): void {
    const { log, clusterId, kind } = this.#options;
    if (this.#scopes.size === 0)
      log.info("not readable in all namespaces: each one that needs it is read by itself", {
        cluster: clusterId,
        kind: kindText(kind),
      });
    const scope = this.#open(namespace);
    this.#scopes.set(namespace, scope);
    for (const subscriber of this.#subscribers) this.#follow(subscriber, scope, namespace);
  }

  #open(namespace: string | undefined): Scope {
    const { kind, isByNamespace, namespace: _, ...options } = this.#options;
    const store = new KindStore(kind, options.log);
    const reflector = new Reflector({
      ...options,
      ...(namespace === undefined || !kind.namespaced ? {} : { namespace }),
      store,
      showGauges: () => this.#showGauges(),
      hasSubstitute: () => this.#all.store === store && this.#isNarrow,
      reviewsLists: isByNamespace,
    });
    const ending = new AbortController();
    // Not now: the subscriber has to be in place before the first change. A bug rejects and ends
    // the process.
    const finished = Promise.resolve().then(() => reflector.run(ending.signal));
    return { store, reflector, ending, finished };
  }

  /** Subscribes the listener to a scope, until the subscriber or the scope ends. */
  #follow(
    { listener, ends }: Subscriber,
    { store, ending }: Scope,
    namespace: string | null,
  ): void {
    const unsubscribe = store.subscribe({
      onChange: (change) => listener.onChange(change),
      onState: (kind, state) => {
        if (namespace === null) listener.onState(kind, this.state());
        else listener.onState(kind, state, namespace);
      },
    });
    const end = (): void => {
      ends.delete(end);
      unsubscribe();
    };
    ends.add(end);
    ending.signal.addEventListener("abort", end, { once: true });
  }

  /** The answers of all scopes in one; unknown where one of them is. */
  #joined(
    of: (store: KindStore) => Lookup<readonly KubeObject[]>,
    namespace: string | undefined,
  ): Lookup<readonly KubeObject[]> {
    if (!this.#isNarrow) return of(this.#all.store);
    if (namespace !== undefined) {
      const scope = this.#scopes.get(namespace);
      return scope === undefined ? this.#unasked(namespace) : of(scope.store);
    }
    const all: KubeObject[] = [];
    for (const { store } of this.#scopes.values()) {
      const lookup = of(store);
      if (lookup.state === "unknown") return lookup;
      if (lookup.state === "value") all.push(...lookup.value);
    }
    return { state: "value", value: all };
  }

  #unasked(namespace: string): { readonly state: "unknown"; readonly reason: string } {
    const reason = `${kindText(this.#options.kind)} of ${namespace}: the API server forbids reading`;
    return { state: "unknown", reason };
  }

  /** See ClusterView. Namespaces in trouble count only where there are no others. */
  ageMs(): number {
    if (this.state() === "absent") return 0;
    const reflectors = this.#read().map(({ reflector }) => reflector);
    const sound = reflectors.filter(({ trouble }) => trouble === null);
    const newsAtMs = (sound.length > 0 ? sound : reflectors).map((one) => one.newsAtMs);
    const nowMs = this.#options.clock.monotonicMs();
    return nowMs - Math.min(nowMs, ...newsAtMs);
  }

  #read(): readonly Scope[] {
    return this.#isNarrow ? [...this.#scopes.values()] : [this.#all];
  }

  #showGauges(): void {
    const objects = this.#read().reduce((sum, { store }) => sum + store.size, 0);
    this.#gauges.show(this.state(), objects);
  }
}

// The metrics of one kind of a cluster's watch cache. Decides nothing.

/** The gauges of one kind. Close them when it is not watched any more. */
class WatchGauges {
  readonly #metrics: Metrics;
  readonly #labels: { readonly cluster: string; readonly kind: string };
  readonly #unmeasure: () => void;
  #state: KindState | null = null;

  /** `ageMs` answers the milliseconds since the last list, event or bookmark of the kind. */
  constructor({ clusterId, metrics, kind }: WatchedKindOptions, ageMs: () => number) {
    this.#metrics = metrics;
    this.#labels = { cluster: clusterId, kind: kindText(kind) };
    this.#unmeasure = metrics.beforeScrape(() =>
      metrics.gauge("zonekeeper_watch_age_seconds", ageMs() / 1000, this.#labels),
    );
  }

  /** The state and the number of objects, after either has changed. */
  show(state: KindState, objects: number): void {
    this.#metrics.gauge("zonekeeper_watch_objects", objects, this.#labels);
    if (this.#state === state) return;
    if (this.#state !== null) this.#gaugeState(this.#state, 0);
    this.#gaugeState(state, 1);
    this.#state = state;
  }

  close(): void {
    this.#unmeasure();
  }

  #gaugeState(state: KindState, value: number): void {
    this.#metrics.gauge("zonekeeper_watch_state", value, { ...this.#labels, state });
  }
}
