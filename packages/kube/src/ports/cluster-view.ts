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
   * Called after the state of a kind changed, also when a relist completed (state `live` again).
   * `namespace`: only there; absent = as a whole.
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
  /** As `list`, of the objects with this value. Costs as much as it answers. */
  indexed(index: ObjectIndex, value: string, namespace?: string): Lookup<readonly KubeObject[]>;
  /**
   * In one namespace, if given. As a whole, of a kind that is read by namespace: namespaces in
   * trouble do not count while others are well, and those that may not be read never do.
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
   * Starts caching the kind if it is not yet. Already cached objects are replayed as `added` before
   * this returns.
   */
  subscribe(kind: KindRef, listener: ViewListener): () => void;
  /**
   * Where a kind that is subscribed to may not be read in all namespaces, it is read in this one,
   * until the answer is called. Absent = the view has only kinds that are read in all.
   */
  readIn?(kind: KindRef, namespace: string): () => void;
}
