/**
 * A watch cache with a fault: it shows the objects of a MemoryCluster through a lens, which may
 * hide one or change it, and calls that live. The API itself answers as it is.
 */
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type {
  ClusterView,
  Lookup,
  ObjectChange,
  ObjectIndex,
  ViewListener,
} from "@zonekeeper/kube/ports/cluster-view";
import type { MemoryCluster } from "./memory-cluster.ts";

/** Answers an object as it is seen; null = not at all. */
export type Lens = (kind: KindRef, object: KubeObject) => KubeObject | null;

/** Each process has its own. */
export class LensView implements ClusterView {
  readonly clusterId: string;
  readonly #cluster: MemoryCluster;
  readonly #listeners = new Set<readonly [KindRef, ViewListener]>();
  #lens: Lens | null;

  /** Null = all is seen as it is. */
  constructor(cluster: MemoryCluster, lens: Lens | null) {
    this.clusterId = cluster.clusterId;
    this.#cluster = cluster;
    this.#lens = lens;
  }

  /** From now on; all kinds are listed anew. */
  replaceLens(lens: Lens | null): void {
    const before = this.#lens;
    this.#lens = lens;
    for (const [kind, listener] of this.#listeners)
      for (const object of this.#cluster.all(kind)) {
        const previous = before === null ? object : before(kind, object);
        const now = this.#seen(kind, object);
        if (previous === null && now !== null)
          listener.onChange({ type: "added", kind, object: now });
        else if (previous !== null && now === null)
          listener.onChange({
            ...{ type: "deleted", kind, object: previous },
            proof: "missing-from-list",
          });
        else if (previous !== null && now !== null && previous !== now)
          listener.onChange({ type: "modified", kind, object: now, previous });
      }
  }

  get(kind: KindRef, namespace: string, name: string): Lookup<KubeObject> {
    const found = this.#cluster.get(kind, namespace, name);
    if (found.state !== "value") return found;
    const value = this.#seen(kind, found.value);
    return value === null ? { state: "absent" } : { state: "value", value };
  }

  list(kind: KindRef, namespace?: string): Lookup<readonly KubeObject[]> {
    const found = this.#cluster.list(kind, namespace);
    if (found.state !== "value") return found;
    const value = found.value.map((one) => this.#seen(kind, one)).filter((one) => one !== null);
    return { ...found, value };
  }

  indexed(index: ObjectIndex, value: string, namespace?: string): Lookup<readonly KubeObject[]> {
    const found = this.list(index.kind, namespace);
    if (found.state !== "value") return found;
    return { ...found, value: found.value.filter((one) => index.valuesOf(one).includes(value)) };
  }

  trouble = (): string | null => this.#cluster.trouble();
  newest = (): string => this.#cluster.newest();
  state: ClusterView["state"] = (...asked) => this.#cluster.state(...asked);

  subscribe(kind: KindRef, listener: ViewListener): () => void {
    const entry = [kind, listener] as const;
    this.#listeners.add(entry);
    const end = this.#cluster.subscribe(kind, {
      ...listener,
      onChange: (change) => {
        const seen = this.#change(change);
        if (seen !== null) listener.onChange(seen);
      },
    });
    return () => {
      this.#listeners.delete(entry);
      end();
    };
  }

  #change(change: ObjectChange): ObjectChange | null {
    const object = this.#seen(change.kind, change.object);
    if (object === null) return null;
    if (change.type !== "modified") return { ...change, object };
    const previous = change.previous && this.#seen(change.kind, change.previous);
    if (previous === undefined || previous === null)
      return { type: "added", kind: change.kind, object };
    return { ...change, object, previous };
  }

  #seen(kind: KindRef, object: KubeObject): KubeObject | null {
    return this.#lens === null ? object : this.#lens(kind, object);
  }
}
