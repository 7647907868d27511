/**
 * What one process sees of a MemoryCluster: a list when it connects, then late events, until its
 * watch breaks; then a complete newer list again, as the watch cache does it. Dies with its
 * process.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import { type KindRef, type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import type {
  ClusterView,
  KindState,
  Lookup,
  ObjectChange,
  ObjectIndex,
  ViewListener,
} from "@zonekeeper/kube/ports/cluster-view";
import { DNS_ANNOTATION, DNS_OWNER } from "../../../src/model/kinds.ts";
import type { MemoryCluster } from "../../support/worlds/memory-cluster.ts";
import type { SimRandom } from "./sim-random.ts";

interface Seen {
  readonly kind: KindRef;
  state: KindState;
  readonly objects: Map<string, KubeObject>;
  readonly listeners: Set<ViewListener>;
  /** Events of an older connection are not delivered. */
  connection: number;
  unsubscribe: () => void;
  /** F01: events may be late by so much, until then (virtual ms). */
  lagMs: number;
  lagUntilMs: number;
}

/** What stands in the way of the first list, and for how long (F03). */
export interface StartTrouble {
  readonly state: "syncing" | "absent";
  readonly forMs: number;
}

/** Milliseconds by which events and lists may be late. */
const LAG_MS = 40;

/**
 * Listed without a delay: kinds that came after scripts and seeds were kept. A number drawn for
 * them would make another story of each. Their own fault classes delay and interrupt them.
 */
const AT_ONCE: ReadonlySet<string> = new Set([DNS_ANNOTATION, DNS_OWNER].map(kindText));

/** A view of its own for each process. */
export class ProcessView implements ClusterView {
  readonly clusterId: string;
  readonly #cluster: MemoryCluster;
  readonly #clock: Clock;
  readonly #random: SimRandom;
  readonly #atStart: (kind: KindRef) => StartTrouble | null;
  readonly #seen = new Map<string, Seen>();
  #dead = false;

  constructor(
    cluster: MemoryCluster,
    ports: { readonly clock: Clock; readonly random: SimRandom },
    atStart: (kind: KindRef) => StartTrouble | null,
  ) {
    this.clusterId = cluster.clusterId;
    this.#cluster = cluster;
    this.#clock = ports.clock;
    this.#random = ports.random;
    this.#atStart = atStart;
  }

  get(kind: KindRef, namespace: string, name: string): Lookup<KubeObject> {
    const seen = this.#of(kind);
    if (isUnreadable(seen)) return { state: "unknown", reason: seen.state };
    const value = seen.objects.get(`${namespace}/${name}`);
    if (value !== undefined) return { state: "value", value };
    return seen.state === "stale" ? { state: "unknown", reason: "stale" } : { state: "absent" };
  }

  list(kind: KindRef, namespace?: string): Lookup<readonly KubeObject[]> {
    const seen = this.#of(kind);
    if (isUnreadable(seen)) return { state: "unknown", reason: seen.state };
    const all = [...seen.objects.values()];
    const value = all.filter((o) => namespace === undefined || o.metadata.namespace === namespace);
    return { state: "value", value };
  }

  indexed(index: ObjectIndex, value: string, namespace?: string): Lookup<readonly KubeObject[]> {
    const list = this.list(index.kind, namespace);
    if (list.state !== "value") return list;
    return { state: "value", value: list.value.filter((o) => index.valuesOf(o).includes(value)) };
  }

  trouble(): string | null {
    return null;
  }

  newest(): string | null {
    return null;
  }

  state(kind: KindRef): KindState {
    return this.#of(kind).state;
  }

  subscribe(kind: KindRef, listener: ViewListener): () => void {
    const seen = this.#of(kind);
    seen.listeners.add(listener);
    for (const object of seen.objects.values()) listener.onChange({ type: "added", kind, object });
    listener.onState(kind, seen.state);
    return () => seen.listeners.delete(listener);
  }

  /** F02, F03: the watch of one kind ends, or the kind may not be read; it comes back by itself. */
  interrupt(kind: KindRef, state: "stale" | "forbidden" | "absent", forMs: number): void {
    const seen = this.#of(kind);
    if (this.#dead) return;
    seen.connection += 1;
    seen.unsubscribe();
    this.#setState(seen, seen.state === "syncing" ? "syncing" : state);
    this.#connectIn(seen, forMs);
  }

  /**
   * F01: events of one kind are late by up to `byMs` until `forMs` from now; they keep their order.
   */
  lag(kind: KindRef, byMs: number, forMs: number): void {
    const seen = this.#of(kind);
    seen.lagMs = byMs;
    seen.lagUntilMs = this.#clock.monotonicMs() + forMs;
  }

  /** Nothing is delivered any more. */
  die(): void {
    this.#dead = true;
    for (const seen of this.#seen.values()) {
      seen.unsubscribe();
      seen.listeners.clear();
    }
  }

  #of(kind: KindRef): Seen {
    const present = this.#seen.get(kindText(kind));
    if (present !== undefined) return present;
    const trouble = this.#atStart(kind);
    const seen: Seen = {
      kind,
      state: trouble?.state ?? "syncing",
      objects: new Map(),
      listeners: new Set(),
      connection: 0,
      unsubscribe: () => {},
      lagMs: 0,
      lagUntilMs: 0,
    };
    this.#seen.set(kindText(kind), seen);
    const lagMs = AT_ONCE.has(kindText(kind)) ? 0 : this.#random.below(LAG_MS);
    this.#connectIn(seen, (trouble?.forMs ?? 0) + lagMs);
    return seen;
  }

  #connectIn(seen: Seen, delayMs: number): void {
    const connection = seen.connection;
    this.#clock.setTimer(delayMs, () => {
      if (!this.#dead && seen.connection === connection) this.#connect(seen);
    });
  }

  #connect(seen: Seen): void {
    const connection = seen.connection;
    const truth = new Map(this.#cluster.all(seen.kind).map((o) => [keyOf(o), o]));
    for (const [key, object] of [...seen.objects]) {
      if (truth.get(key)?.metadata.uid === object.metadata.uid) continue;
      seen.objects.delete(key);
      this.#tell(seen, { type: "deleted", kind: seen.kind, object, proof: "missing-from-list" });
    }
    for (const [key, object] of truth) this.#put(seen, key, object);
    let replaying = true;
    let latestMs = this.#clock.monotonicMs();
    seen.unsubscribe = this.#cluster.subscribe(seen.kind, {
      onChange: (change) => {
        if (replaying) return;
        // Events keep their order, however late they are.
        const nowMs = this.#clock.monotonicMs();
        const mostMs = nowMs < seen.lagUntilMs ? seen.lagMs : LAG_MS;
        latestMs = Math.max(latestMs, nowMs + this.#random.below(mostMs));
        const delayMs = latestMs - nowMs;
        this.#clock.setTimer(delayMs, () => {
          if (!this.#dead && seen.connection === connection) this.#receive(seen, change);
        });
      },
      onState: () => {},
    });
    replaying = false;
    this.#setState(seen, "live");
  }

  #receive(seen: Seen, change: ObjectChange): void {
    const key = keyOf(change.object);
    if (change.type !== "deleted") {
      this.#put(seen, key, change.object);
      return;
    }
    if (!seen.objects.delete(key)) return;
    this.#tell(seen, { type: "deleted", kind: seen.kind, object: change.object, proof: "watched" });
  }

  #put(seen: Seen, key: string, object: KubeObject): void {
    const previous = seen.objects.get(key);
    if (previous?.metadata.resourceVersion === object.metadata.resourceVersion) return;
    seen.objects.set(key, object);
    const kind = seen.kind;
    if (previous === undefined) this.#tell(seen, { type: "added", kind, object });
    else this.#tell(seen, { type: "modified", kind, object, previous });
  }

  #setState(seen: Seen, state: KindState): void {
    seen.state = state;
    for (const listener of [...seen.listeners]) listener.onState(seen.kind, state);
  }

  #tell(seen: Seen, change: ObjectChange): void {
    for (const listener of [...seen.listeners]) listener.onChange(change);
  }
}

/**
 * As the watch cache has it: a kind that vanished while objects of it are known is not empty (Z-3).
 */
function isUnreadable({ state, objects }: Seen): boolean {
  return state === "syncing" || state === "forbidden" || (state === "absent" && objects.size > 0);
}

function keyOf(object: KubeObject): string {
  return `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
}
