/**
 * `gardener.cloud/operation: reconcile`: a person asks that an object is looked at anew, once. What
 * that means for a kind its controller decides; the annotation goes when it is done.
 */
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import { OPERATION_ANNOTATION, RECONCILE } from "../../model/annotation-keys.ts";

/** True while somebody asks for it. */
export function asksForReconcile({ metadata: { annotations } }: KubeObject): boolean {
  // clause: only-reconcile-is-an-operation
  return annotations?.[OPERATION_ANNOTATION]?.trim() === RECONCILE;
}

/** It is done. Throws as the writer does; another value of the annotation stays. */
export async function reconcileDone(
  writer: ClusterWriter,
  kind: KindRef,
  object: KubeObject,
): Promise<void> {
  if (!asksForReconcile(object)) return;
  const { name, namespace = "", uid } = object.metadata;
  const annotations = { [OPERATION_ANNOTATION]: null };
  const metadata = { ...(uid === undefined ? {} : { uid }), annotations };
  await writer.patch({ kind, namespace, name }, { metadata });
}
