/** Adds our finalizer to an object or removes it; finalizers of others stay. */
import { OperationError } from "@zonekeeper/base/operation-error";
import {
  type KindRef,
  type KubeObject,
  refOf,
  versionOf,
} from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import type { Finalizers } from "../../model/dns-class.ts";

/** `add`: the object gets the first one, and loses the others. `remove`: it loses all of them. */
export interface FinalizerChange {
  readonly object: KubeObject;
  readonly finalizers: Finalizers;
  readonly to: "add" | "remove";
  /** Stored in the same write as the finalizer that is added; absent = none. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** True when the object carries one of them. */
export function hasFinalizer({ metadata }: KubeObject, finalizers: Finalizers): boolean {
  return metadata.finalizers?.some((present) => finalizers.includes(present)) === true;
}

/**
 * Adds or removes our finalizer. The list is replaced as a whole, so the version that was read is
 * compared. On a `Conflict` (mostly our own write that the cache has not shown yet) the object is
 * read once from the API; an object that is gone, or was created again, needs nothing. False = it
 * does not have what was to be added.
 */
export async function patchFinalizer(
  writer: ClusterWriter,
  kind: KindRef,
  change: FinalizerChange,
): Promise<boolean> {
  try {
    return await patch(writer, kind, change);
  } catch (error) {
    if (!(error instanceof OperationError) || error.code !== "Conflict") throw error;
    const object = await writer.read(refOf(kind, change.object));
    if (object === null || object.metadata.uid !== change.object.metadata.uid) return false;
    return patch(writer, kind, { ...change, object });
  }
}

async function patch(
  writer: ClusterWriter,
  kind: KindRef,
  change: FinalizerChange,
): Promise<boolean> {
  const { annotations = {}, object, to } = change;
  const present = object.metadata;
  if (to === "add" && present.deletionTimestamp !== undefined) return false;
  const finalizers = changedFinalizers(change);
  const isNoted = Object.entries(annotations).every(
    ([key, value]) => present.annotations?.[key] === value,
  );
  if (finalizers === null && isNoted) return true;
  const changed = { ...(finalizers && { finalizers }), ...(!isNoted && { annotations }) };
  await writer.patch(refOf(kind, object), { metadata: { ...changed, ...versionOf(object) } });
  return true;
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
