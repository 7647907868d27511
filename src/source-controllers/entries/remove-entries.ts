/**
 * Deletes generated DNSEntries, only if the source object is unchanged since the decision. The
 * fence of a zone stops a process that has lost its Lease or lags; nothing fences its writes to the
 * cluster, and the present leader would remove the records of an entry that it deleted.
 */
import { DNS_ENTRY } from "../../model/kinds.ts";
import type { KindRef, KubeObject } from "../../model/kubernetes.ts";
import { OperationError } from "../../model/operation-error.ts";
import type { ClusterWriter, ObjectRef } from "../../ports/cluster-writer.ts";

/** What removals are made with. */
export interface RemovalPorts {
  /** API of the source cluster; asked past the cache. */
  readonly reader: Pick<ClusterWriter, "read">;
  /** API of the cluster of the entries. */
  readonly writer: Pick<ClusterWriter, "remove">;
}

/** The source object from which removals were decided. */
export interface SeenObject {
  readonly kind: KindRef;
  readonly namespace: string;
  readonly name: string;
  /** The source object as the cache had it; null = the cache says that it is gone. */
  readonly seen: KubeObject | null;
}

/** One decision to remove entries. */
export interface Removal {
  readonly decidedFrom: SeenObject;
  readonly entries: readonly KubeObject[];
  /** Called for each entry that was deleted. */
  readonly onRemoved: (entry: KubeObject) => void;
}

/**
 * Whether the API has the source object exactly as it was seen (Z-2). Two watches are not ordered
 * between each other: an entry that another process has just created may be seen before the change
 * of its Ingress, and would look unwanted. Status and annotations matter, so the resourceVersion is
 * compared and not the generation. A change between this answer and the arrival of the deletion is
 * not noticed. Throws as the reader does.
 */
export async function isAsSeen(
  { reader }: Pick<RemovalPorts, "reader">,
  { kind, namespace, name, seen }: SeenObject,
): Promise<boolean> {
  const present = await reader.read({ kind, namespace, name });
  if (present === null || seen === null) return present === seen;
  const [now, then] = [present.metadata, seen.metadata];
  return now.uid === then.uid && now.resourceVersion === then.resourceVersion;
}

/**
 * Deletes one entry if uid and resourceVersion are as it was seen: an entry that has changed since,
 * or belongs to a source object that was created again, must be decided again. False = it has
 * changed, and stays. Throws every other failure.
 */
export async function removeAsSeen(
  { writer }: Pick<RemovalPorts, "writer">,
  { metadata }: KubeObject,
): Promise<boolean> {
  const { uid, resourceVersion, namespace = "", name } = metadata;
  const ref: ObjectRef = { kind: DNS_ENTRY, namespace, name };
  try {
    await writer.remove(ref, {
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    });
    return true;
  } catch (error) {
    if (error instanceof OperationError && error.code === "Conflict") return false;
    throw error;
  }
}
