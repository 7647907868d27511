/** Putting a finalizer on an object and taking it off, without touching anybody else's. */
import type { KindRef, KubeObject } from "../model/kubernetes.ts";
import type { ClusterWriter } from "../ports/cluster-writer.ts";

/** True when the object carries it. */
export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) === true;
}

/**
 * Adds or removes one finalizer. The list is replaced as a whole, so the version that was read is compared: a
 * concurrent change is a `Conflict`, and the caller reads again.
 */
export async function patchFinalizer(
  writer: ClusterWriter,
  kind: KindRef,
  change: {
    readonly object: KubeObject;
    readonly finalizer: string;
    readonly to: "add" | "remove";
  },
): Promise<KubeObject> {
  const { object, finalizer, to } = change;
  const others = (object.metadata.finalizers ?? []).filter((present) => present !== finalizer);
  const finalizers = to === "add" ? [...others, finalizer] : others;
  const { name, namespace = "", resourceVersion } = object.metadata;
  const metadata = { finalizers, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  return writer.patch({ kind, namespace, name }, { metadata });
}
