/**
 * What a deletion does to an object: whether it may go, which finalizers it waits for, and how it
 * looks while it waits. Pure. apiserver pkg/registry/rest/delete.go (BeforeDelete) and
 * pkg/registry/generic/registry/store.go (deletionFinalizersForGarbageCollection). Grace periods
 * are not waited for: no served kind has a kubelet that would.
 */
import type { KindRef } from "../../objects/kubernetes.ts";
import { preconditionFailed } from "../errors/api-error.ts";
import type { AdmitContext, ServedKind, StoredObject } from "./served-kind.ts";

/** What happens to the objects that the deleted one owns. */
export type Propagation = "Background" | "Foreground" | "Orphan";

/** Options of a deletion. */
export interface DeleteOptions {
  /** Null = any. */
  readonly uid: string | null;
  /** Null = any. */
  readonly resourceVersion: string | null;
  /** Null = as the finalizers of the object say, else Background. */
  readonly propagation: Propagation | null;
}

/** Finalizer of a foreground deletion; the garbage collector removes it. */
export const FOREGROUND_FINALIZER = "foregroundDeletion";
/** Finalizer of an orphaning deletion; the garbage collector removes it. */
export const ORPHAN_FINALIZER = "orphan";

/**
 * The uid and version that the client gives must be those of the stored object. Throws ApiError
 * 409.
 */
export function checkPreconditions(
  kind: KindRef,
  current: StoredObject,
  options: DeleteOptions,
): void {
  const { name, uid = "", resourceVersion = "" } = current.metadata;
  if (options.uid !== null && options.uid !== uid)
    throw preconditionFailed(
      kind,
      name,
      `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  if (options.resourceVersion !== null && options.resourceVersion !== resourceVersion)
    throw preconditionFailed(
      kind,
      name,
      `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
}

/**
 * The finalizers that a deletion waits for; the latest request decides about
 * propagation.
 */
export function finalizersFor(
  kind: ServedKind,
  object: StoredObject,
  propagation: Propagation | null,
): readonly string[] {
  const isMarked = object.metadata.deletionTimestamp !== undefined;
  const own = kind.finalizer === null || isMarked ? [] : [kind.finalizer];
  const present = [...new Set([...(object.metadata.finalizers ?? []), ...own])];
  if (propagation === null) return present;
  const kept = present.filter((each) => each !== FOREGROUND_FINALIZER && each !== ORPHAN_FINALIZER);
  if (propagation === "Background") return kept;
  return [...kept, propagation === "Foreground" ? FOREGROUND_FINALIZER : ORPHAN_FINALIZER];
}

/**
 * The object with its finalizers, marked as being deleted from `tools.now` on unless it was
 * already.
 */
export function markedObject(
  kind: ServedKind,
  current: StoredObject,
  finalizers: readonly string[],
  tools: AdmitContext,
): StoredObject {
  const { finalizers: _before, ...rest } = current.metadata;
  const metadata = {
    ...rest,
    name: current.metadata.name,
    ...(finalizers.length > 0 ? { finalizers } : {}),
  };
  if (current.metadata.deletionTimestamp !== undefined) return { ...current, metadata };
  // An object with a finalizer of its kind is only marked (apiextensions-apiserver
  // customresourcedefinition/etcd.go Delete).
  const counted = { deletionGracePeriodSeconds: 0, ...countedOnce(kind, current) };
  const marks = { deletionTimestamp: tools.now, ...(kind.finalizer === null ? counted : {}) };
  return kind.admit({ ...current, metadata: { ...metadata, ...marks } }, current, tools);
}

/**
 * An object that is gone at once as the answer shows it: marked where the kind has a grace period.
 */
export function goneObject(
  kind: ServedKind,
  gone: StoredObject,
  tools: AdmitContext,
): StoredObject {
  if (kind.deletionShows !== "marked object") return gone;
  const deletion = { deletionTimestamp: tools.now, deletionGracePeriodSeconds: 0 };
  return { ...gone, metadata: { ...gone.metadata, ...deletion, ...countedOnce(kind, gone) } };
}

/** A deletion is a change of what is wanted (apiserver pkg/registry/rest/delete.go). */
function countedOnce(kind: ServedKind, object: StoredObject): { readonly generation?: number } {
  const { generation = 0 } = object.metadata;
  return kind.generation === "counted" ? { generation: generation + 1 } : {};
}
