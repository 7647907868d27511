/**
 * What a cluster says, seen through the watch cache. Synchronous and read-only. A look-up
 * distinguishes absent from unknown, because unknown is not empty (Z-1).
 */
import type { KindRef, KubeObject } from "../objects/kubernetes.ts";

/** `unknown` = the kind has not been listed completely, or may not be read now. */
export type Lookup<T> =
  | { readonly state: "value"; readonly value: T }
  | { readonly state: "absent" }
  | { readonly state: "unknown"; readonly reason: string };

/**
 * `syncing`: no complete list yet. `live`: listed and watched. `stale`: was live, the watch is
 * broken and the content is the last known. `forbidden`: 403. `absent`: complete discovery does not
 * have the kind.
 */
export type KindState = "syncing" | "live" | "stale" | "forbidden" | "absent";

/**
 * A change that the cache has applied. `deleted` comes with how it is known (Z-2): seen, or missing
 * from a complete newer list.
 */
export interface ObjectChange {
  readonly type: "added" | "modified" | "deleted";
  readonly kind: KindRef;
  /** The object as it is now; for `deleted` as it was last. */
  readonly object: KubeObject;
  /** The object before; absent for `added`. */
  readonly previous?: KubeObject;
  /** Only with `deleted`. */
  readonly proof?: "watched" | "missing-from-list";
}

/** Gets changes in the order in which the cache applied them. Must not throw and must be quick. */
export interface ViewListener {
  onChange(change: ObjectChange): void;
  /**
   * Called after the state of a kind changed, also when a new list completed (state `live` again).
   * With `namespace` it is the state there, else that of the kind as a whole.
   */
  onState(kind: KindRef, state: KindState, namespace?: string): void;
}

/**
 * Objects of a kind by something that they say, such as the object that they refer to. A constant
 * of its source: the view keeps one for each such value.
 */
export interface ObjectIndex {
  /** Unique among the indexes of its kind. */
  readonly name: string;
  readonly kind: KindRef;
  /** Under which values the object is found. Pure. */
  readonly valuesOf: (object: KubeObject) => readonly string[];
}

/** One cluster's cached objects. */
export interface ClusterView {
  readonly clusterId: string;
  get(kind: KindRef, namespace: string, name: string): Lookup<KubeObject>;
  /**
   * All objects of a kind, in one namespace if given, in no special order; `unknown` unless listed
   * once.
   */
  list(kind: KindRef, namespace?: string): Lookup<readonly KubeObject[]>;
  /** As `list`, of the objects with this value. The time it takes grows with the answer only. */
  indexed(index: ObjectIndex, value: string, namespace?: string): Lookup<readonly KubeObject[]>;
  /**
   * The state in one namespace, if given, else as a whole. Of a kind that is read by namespace,
   * namespaces in trouble do not count while others are well, and those that may not be read never
   * do.
   */
  state(kind: KindRef, namespace?: string): KindState;
  /** Why the kind is not live, for people; null = nothing is wrong, or nothing is known. */
  trouble(kind: KindRef, namespace?: string): string | null;
  /**
   * Milliseconds since the server last showed what the kind is like; null = it is not watched.
   * Absent = the view cannot tell.
   */
  ageMs?(kind: KindRef): number | null;
  /** The newest resource version that was seen of the kind; null before its first list. */
  newest(kind: KindRef): string | null;
  /**
   * Starts to cache the kind if it is not cached yet. Objects in the cache are replayed as `added`
   * before this returns. The returned function ends the subscription.
   */
  subscribe(kind: KindRef, listener: ViewListener): () => void;
  /**
   * Reads a kind in this namespace, where it may not be read in all, until the returned function is
   * called. The kind must be subscribed to. Absent = the view reads all kinds in all namespaces.
   */
  readIn?(kind: KindRef, namespace: string): () => void;
}
