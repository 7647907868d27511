/**
 * The objects of one kind, their state and their listeners. Turns lists and events into changes;
 * the resource version never goes back. It does no I/O and knows no retries.
 */
import { messageOf } from "@zonekeeper/base/operation-error";
import type { Slices } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import { type KindRef, type KubeObject, kindText } from "../../objects/kubernetes.ts";
import type {
  KindState,
  Lookup,
  ObjectChange,
  ObjectIndex,
  ViewListener,
} from "../../ports/cluster-view.ts";
import type { CachedObject } from "./decode-object.ts";
import type { CompleteList, CompleteVersions } from "./list-pages.ts";
import { isOlder } from "./resource-version.ts";
import type { WatchEvent } from "./watch-event.ts";

/** `older`: the list is older than the newest version seen and was not used. */
export type ListVerdict = "used" | "older";

/** `disorder`: the stream contradicts itself and a new list is needed. Nothing was changed. */
export type EventVerdict = "applied" | "duplicate" | "disorder";

type ByName = Map<string, CachedObject>;
type ByNamespace = Map<string, ByName>;

/** One kind's part of the watch cache. */
export class KindStore {
  readonly kind: KindRef;
  readonly #log: Log;
  readonly #listeners = new Set<ViewListener>();
  #namespaces: ByNamespace = new Map();
  /** Made when they are first asked; a new list begins them anew. */
  readonly #indexes = new Map<ObjectIndex, KindIndex>();
  #size = 0;
  #state: KindState = "syncing";
  #newest: string | null = null;

  constructor(kind: KindRef, log: Log) {
    this.kind = kind;
    this.#log = log;
  }

  get state(): KindState {
    return this.#state;
  }

  /** How many objects are kept. */
  get size(): number {
    return this.#size;
  }

  /**
   * The newest resource version seen in a used list, an event or a bookmark; null before the first
   * list.
   */
  get newest(): string | null {
    return this.#newest;
  }

  /** See ClusterView. Only in state `live` is a missing object known to be absent. */
  get(namespace: string, name: string): Lookup<KubeObject> {
    const unreadable = this.#unreadable();
    if (unreadable !== null) return { state: "unknown", reason: unreadable };
    const value = this.#namespaces.get(namespace)?.get(name);
    if (value !== undefined) return { state: "value", value };
    if (this.#state !== "stale") return { state: "absent" };
    return { state: "unknown", reason: `${kindText(this.kind)}: the watch is interrupted` };
  }

  /** See ClusterView. While `stale` it is the last known content. */
  list(namespace?: string): Lookup<readonly KubeObject[]> {
    const unreadable = this.#unreadable();
    if (unreadable !== null) return { state: "unknown", reason: unreadable };
    if (namespace !== undefined) {
      return { state: "value", value: [...(this.#namespaces.get(namespace)?.values() ?? [])] };
    }
    return { state: "value", value: [...this.#all()] };
  }

  /** See ClusterView. While `stale` it is the last known content. */
  indexed(index: ObjectIndex, value: string, namespace?: string): Lookup<readonly KubeObject[]> {
    const unreadable = this.#unreadable();
    if (unreadable !== null) return { state: "unknown", reason: unreadable };
    const kept = this.#indexes.get(index) ?? new KindIndex(index, this.#all());
    this.#indexes.set(index, kept);
    return { state: "value", value: kept.of(value, namespace) };
  }

  /** Adds a listener; cached objects are replayed to it before this returns. */
  subscribe(listener: ViewListener): () => void {
    for (const object of [...this.#all()]) {
      this.#notify(listener, { type: "added", kind: this.kind, object });
    }
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Notifies the listeners when the state changed, and always when it is `live` by `relisted`. */
  setState(state: KindState, relisted = false): void {
    if (state === this.#state && !relisted) return;
    this.#state = state;
    for (const listener of [...this.#listeners]) {
      this.#guard(() => listener.onState(this.kind, state));
    }
  }

  /**
   * Replaces all objects by a complete list, at once for readers, and notifies listeners of the
   * difference in slices: first deletions (by UID, proof `missing-from-list`), then new and changed
   * objects. A list older than `newest` is refused. Nothing else may be applied until this
   * resolves; it rejects when `signal` aborts meanwhile.
   */
  async replace(list: CompleteList, slices: Slices, signal: AbortSignal): Promise<ListVerdict> {
    // clause: older-list-is-not-used
    if (this.#newest !== null && isOlder(list.resourceVersion, this.#newest)) return "older";
    const rest = async (): Promise<void> => {
      await slices.next();
      signal.throwIfAborted();
    };
    const next: ByNamespace = new Map();
    for (const object of list.objects) {
      if (slices.isOver) await rest();
      putInto(next, object);
    }
    const before = this.#namespaces;
    this.#namespaces = next;
    this.#indexes.clear();
    this.#size = [...next.values()].reduce((sum, byName) => sum + byName.size, 0);
    this.#newest = list.resourceVersion;
    // A later listener gets the new content when it subscribes.
    const listeners = [...this.#listeners];
    for (const changes of [this.#gone(before), this.#arrived(before)])
      for (const change of changes) {
        if (slices.isOver) await rest();
        this.#emit(change, listeners);
      }
    return "used";
  }

  /** True when each object is kept in the version of this list, and no other one is. */
  isEqualTo({ byUid, resourceVersion }: CompleteVersions): boolean {
    if (this.#newest !== null && isOlder(resourceVersion, this.#newest)) return false;
    if (byUid.size !== this.#size) return false;
    for (const { metadata } of this.#all())
      if (byUid.get(metadata.uid ?? "") !== metadata.resourceVersion) return false;
    return true;
  }

  /** Applies one event of a watch that began at `newest` or later. */
  apply(event: WatchEvent): EventVerdict {
    if (event.type === "BOOKMARK") return this.#advance(event.resourceVersion);
    if (event.type === "DELETED") return this.#remove(event.object);
    const { object } = event;
    const previous = this.#find(object);
    if (previous !== undefined && isKnown(previous, object)) return "duplicate";
    // clause: older-event-is-not-used
    if (this.#isOld(object.metadata.resourceVersion)) return "disorder";
    this.#advance(object.metadata.resourceVersion);
    this.#put(object);
    for (const change of differences(this.kind, previous, object)) this.#emit(change);
    return "applied";
  }

  /** A UID is never used again, so a late or repeated deletion event is still true. */
  #remove(object: CachedObject): EventVerdict {
    this.#advance(object.metadata.resourceVersion);
    const previous = this.#find(object);
    if (previous === undefined || !isSame(previous, object)) return "duplicate";
    this.#drop(object);
    this.#emit({ type: "deleted", kind: this.kind, object, previous, proof: "watched" });
    return "applied";
  }

  #isOld(version: string): boolean {
    return this.#newest !== null && isOlder(version, this.#newest);
  }

  #advance(version: string): EventVerdict {
    if (this.#isOld(version)) return "duplicate";
    this.#newest = version;
    return "applied";
  }

  #unreadable(): string | null {
    // As nearly always: each object that is reconciled asks several times.
    if (this.#state === "live" || this.#state === "stale") return null;
    const kind = kindText(this.kind);
    if (this.#state === "syncing") return `${kind}: not listed completely yet`;
    if (this.#state === "forbidden") return `${kind}: the API server forbids reading`;
    return this.#size > 0 ? `${kind}: the kind is gone` : null;
  }

  *#all(): Generator<CachedObject, void, void> {
    for (const byName of this.#namespaces.values()) yield* byName.values();
  }

  #find(object: KubeObject): CachedObject | undefined {
    return this.#namespaces.get(object.metadata.namespace ?? "")?.get(object.metadata.name);
  }

  #put(object: CachedObject): void {
    const previous = this.#find(object);
    for (const index of this.#indexes.values()) {
      if (previous !== undefined) index.remove(previous);
      index.add(object);
    }
    if (putInto(this.#namespaces, object)) this.#size += 1;
  }

  #drop(object: CachedObject): void {
    const previous = this.#find(object);
    if (previous !== undefined) for (const index of this.#indexes.values()) index.remove(previous);
    const namespace = object.metadata.namespace ?? "";
    const byName = this.#namespaces.get(namespace);
    if (byName?.delete(object.metadata.name) === true) this.#size -= 1;
    if (byName?.size === 0) this.#namespaces.delete(namespace);
  }

  *#gone(before: ReadonlyMap<string, ByName>): Generator<ObjectChange, void, void> {
    for (const byName of before.values()) {
      for (const object of byName.values()) {
        if (this.#find(object)?.metadata.uid === object.metadata.uid && this.#find(object))
          continue;
        yield { type: "deleted", kind: this.kind, object, proof: "missing-from-list" };
      }
    }
  }

  *#arrived(before: ReadonlyMap<string, ByName>): Generator<ObjectChange, void, void> {
    for (const object of this.#all()) {
      const was = before.get(object.metadata.namespace ?? "")?.get(object.metadata.name);
      const previous = was !== undefined && isSame(was, object) ? was : undefined;
      yield* differences(this.kind, previous, object);
    }
  }

  /** To those of `listeners` that are still subscribed. */
  #emit(change: ObjectChange, listeners: readonly ViewListener[] = [...this.#listeners]): void {
    for (const listener of listeners)
      if (this.#listeners.has(listener)) this.#notify(listener, change);
  }

  #notify(listener: ViewListener, change: ObjectChange): void {
    this.#guard(() => listener.onChange(change));
  }

  /** A listener that throws is a bug; the other listeners are still called. */
  #guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#log.error("a listener of the watch cache threw", {
        kind: kindText(this.kind),
        error: messageOf(error),
      });
    }
  }
}

/** True when the name is new there. */
function putInto(namespaces: ByNamespace, object: CachedObject): boolean {
  const namespace = object.metadata.namespace ?? "";
  const byName = namespaces.get(namespace) ?? new Map<string, CachedObject>();
  if (byName.size === 0) namespaces.set(namespace, byName);
  const sizeBefore = byName.size;
  byName.set(object.metadata.name, object);
  return byName.size > sizeBefore;
}

/** Names are used again; UIDs are not. */
function isSame(a: CachedObject, b: CachedObject): boolean {
  return a.metadata.uid === b.metadata.uid;
}

/** The cache has this version of the object, or a newer one. */
function isKnown(cached: CachedObject, object: CachedObject): boolean {
  const [have, come] = [cached.metadata.resourceVersion, object.metadata.resourceVersion];
  return isSame(cached, object) && (have === come || isOlder(come, have));
}

/** The changes when `object` replaces `previous`; another UID is a deletion and a creation. */
function differences(
  kind: KindRef,
  previous: CachedObject | undefined,
  object: CachedObject,
): readonly ObjectChange[] {
  if (previous === undefined) return [{ type: "added", kind, object }];
  if (!isSame(previous, object)) {
    // Another object has the name, so the old one was deleted, even if its event was missed.
    return [
      { type: "deleted", kind, object: previous, proof: "watched" },
      { type: "added", kind, object },
    ];
  }
  if (previous.metadata.resourceVersion === object.metadata.resourceVersion) return [];
  return [{ type: "modified", kind, object, previous }];
}

// The objects of one kind by what one index says of them. Kept up to date by its store.

/** Objects by value. */
class KindIndex {
  readonly #valuesOf: ObjectIndex["valuesOf"];
  readonly #byValue = new Map<string, Set<KubeObject>>();

  constructor({ valuesOf }: Pick<ObjectIndex, "valuesOf">, objects: Iterable<KubeObject>) {
    this.#valuesOf = valuesOf;
    for (const object of objects) this.add(object);
  }

  add(object: KubeObject): void {
    for (const value of this.#valuesOf(object)) {
      const present = this.#byValue.get(value);
      if (present === undefined) this.#byValue.set(value, new Set([object]));
      else present.add(object);
    }
  }

  /** The very object that was added. */
  remove(object: KubeObject): void {
    for (const value of this.#valuesOf(object)) {
      const objects = this.#byValue.get(value);
      objects?.delete(object);
      if (objects?.size === 0) this.#byValue.delete(value);
    }
  }

  /** In one namespace if given, in no special order. */
  of(value: string, namespace?: string): readonly KubeObject[] {
    const objects = [...(this.#byValue.get(value) ?? [])];
    if (namespace === undefined) return objects;
    return objects.filter(({ metadata }) => (metadata.namespace ?? "") === namespace);
  }
}
