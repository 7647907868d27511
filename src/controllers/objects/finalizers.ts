/** Adds a finalizer to an object or removes it; finalizers of others stay. */
import type { KindRef, KubeObject } from "../../model/kubernetes.ts";
import { OperationError } from "../../model/operation-error.ts";
import type { ClusterWriter } from "../../ports/cluster-writer.ts";

/** One finalizer to add or remove. */
export interface FinalizerChange {
  readonly object: KubeObject;
  readonly finalizer: string;
  readonly to: "add" | "remove";
}

/** True when the object carries it. */
export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) === true;
}

/**
 * Adds or removes one finalizer. The list is replaced as a whole, so the version that was read is
 * compared. On a `Conflict` (mostly our own write that the cache has not shown yet) the object is
 * read once from the API; an object that is gone, or was created again, needs nothing.
 */
export async function patchFinalizer(
  writer: ClusterWriter,
  kind: KindRef,
  change: FinalizerChange,
): Promise<void> {
  try {
    await patch(writer, kind, change);
  } catch (error) {
    if (!(error instanceof OperationError) || error.code !== "Conflict") throw error;
    const { name, namespace = "", uid } = change.object.metadata;
    const object = await writer.read({ kind, namespace, name });
    if (object !== null && object.metadata.uid === uid)
      await patch(writer, kind, { ...change, object });
  }
}

async function patch(
  writer: ClusterWriter,
  kind: KindRef,
  { object, finalizer, to }: FinalizerChange,
): Promise<void> {
  if (hasFinalizer(object, finalizer) === (to === "add")) return;
  const others = (object.metadata.finalizers ?? []).filter((present) => present !== finalizer);
  const finalizers = to === "add" ? [...others, finalizer] : others;
  const { name, namespace = "", resourceVersion } = object.metadata;
  const metadata = { finalizers, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  await writer.patch({ kind, namespace, name }, { metadata });
}
