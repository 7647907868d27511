/** Adds our finalizer to an object or removes it; finalizers of others stay. */
import type { Finalizers } from "../../model/dns-class.ts";
import type { KindRef, KubeObject } from "../../model/kubernetes.ts";
import { OperationError } from "../../model/operation-error.ts";
import type { ClusterWriter } from "../../ports/cluster-writer.ts";

/** `add`: the object gets the first one, and loses the others. `remove`: it loses all of them. */
export interface FinalizerChange {
  readonly object: KubeObject;
  readonly finalizers: Finalizers;
  readonly to: "add" | "remove";
}

/** True when the object carries one of them. */
export function hasFinalizer({ metadata }: KubeObject, finalizers: Finalizers): boolean {
  return metadata.finalizers?.some((present) => finalizers.includes(present)) === true;
}

/**
 * Adds or removes our finalizer. The list is replaced as a whole, so the version that was read is
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

async function patch(writer: ClusterWriter, kind: KindRef, change: FinalizerChange): Promise<void> {
  const finalizers = changedFinalizers(change);
  if (finalizers === null) return;
  const { name, namespace = "", resourceVersion } = change.object.metadata;
  const metadata = { finalizers, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  await writer.patch({ kind, namespace, name }, { metadata });
}

/** The list as it is to be; null = it is so. Nothing can be added to what is being deleted. */
export function changedFinalizers({
  object: { metadata },
  finalizers,
  to,
}: FinalizerChange): readonly string[] | null {
  const present = metadata.finalizers ?? [];
  const others = present.filter((one) => !finalizers.includes(one));
  if (to === "remove") return others.length === present.length ? null : others;
  const [main] = finalizers;
  const isSo = present.includes(main) && present.length === others.length + 1;
  return isSo || metadata.deletionTimestamp !== undefined ? null : [...others, main];
}
