/**
 * The annotation `gardener.cloud/operation: reconcile`, by which a person has an object reconciled
 * once more although it did not change. Each controller decides which work that means; the
 * annotation is removed when the work is done.
 */
import { type KindRef, type KubeObject, refOf, uidOf } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import { OPERATION_ANNOTATION, RECONCILE } from "../../model/annotation-keys.ts";

/** True while somebody asks for it. */
export function asksForReconcile({ metadata: { annotations } }: KubeObject): boolean {
  // clause: only-reconcile-is-an-operation
  return annotations?.[OPERATION_ANNOTATION]?.trim() === RECONCILE;
}

/** Removes the annotation. Throws as the writer does; another value of the annotation stays. */
export async function reconcileDone(
  writer: ClusterWriter,
  kind: KindRef,
  object: KubeObject,
): Promise<void> {
  if (!asksForReconcile(object)) return;
  const metadata = { ...uidOf(object), annotations: { [OPERATION_ANNOTATION]: null } };
  await writer.patch(refOf(kind, object), { metadata });
}
