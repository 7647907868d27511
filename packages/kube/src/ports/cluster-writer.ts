/**
 * Writing to a cluster's API. Every failure is an OperationError with the API's reason as its code.
 */
import type { KindRef, KubeObject } from "../objects/kubernetes.ts";

/** Names one object. */
export interface ObjectRef {
  readonly kind: KindRef;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
}

/** Options of a deletion. */
export interface DeletePreconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/**
 * Writes objects. Codes of thrown OperationErrors: `Conflict`, `AlreadyExists`, `NotFound`,
 * `Invalid`, `Forbidden`, `TooManyRequests`, `Unavailable`, `UnknownOutcome` (the answer was lost).
 */
export interface ClusterWriter {
  readonly clusterId: string;
  /** Reads past the cache. Null = not found. */
  read(ref: ObjectRef): Promise<KubeObject | null>;
  /** All objects of a kind past the cache, in one namespace if given; complete or rejected. */
  readAll(kind: KindRef, namespace?: string): Promise<readonly KubeObject[]>;
  create(kind: KindRef, object: KubeObject): Promise<KubeObject>;
  /** Replaces the object; `metadata.resourceVersion` in it is compared. */
  update(kind: KindRef, object: KubeObject): Promise<KubeObject>;
  /** JSON merge patch (RFC 7396) of the main resource. */
  patch(ref: ObjectRef, patch: Readonly<Record<string, unknown>>): Promise<KubeObject>;
  /** JSON merge patch of the status subresource. */
  patchStatus(ref: ObjectRef, patch: Readonly<Record<string, unknown>>): Promise<KubeObject>;
  /** Not found counts as done. */
  remove(ref: ObjectRef, preconditions?: DeletePreconditions): Promise<void>;
}

/** Reads past the cache. */
export type ObjectReader = Pick<ClusterWriter, "read" | "readAll">;

/** An Event about an object. */
export interface EventNote {
  readonly type: "Normal" | "Warning";
  /** CamelCase, machine readable: `RecordsLeft`, `dns-annotation`. */
  readonly reason: string;
  readonly message: string;
}

/** Fire and forget; equal notes on one object are counted up instead of repeated. Never throws. */
export interface EventRecorder {
  record(object: KubeObject, note: EventNote): void;
  /**
   * What the cluster said when it refused the last Event; null = it took it. Absent = it refuses
   * none.
   */
  refusal?(): string | null;
}
