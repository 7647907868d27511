/**
 * Takes generated DNSEntries away, and only for what the source object says now. The zone's fence
 * stops a process that has lost its Lease, or lags, at the zone; nothing fences its writes to the
 * cluster, and a leader with newer sight would carry such a deletion out in good faith.
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

/** What a decision to remove entries rests on. */
export interface RemovalGround {
  readonly kind: KindRef;
  readonly namespace: string;
  readonly name: string;
  /** The source object as the cache had it; null = the cache says that it is gone. */
  readonly seen: KubeObject | null;
}

/** One decision to remove. */
export interface Removal {
  readonly ground: RemovalGround;
  readonly entries: readonly KubeObject[];
  /** Told of each entry that was deleted. */
  readonly onRemoved: (entry: KubeObject) => void;
}

/**
 * Whether the API has the source object exactly as it was seen (Z-2). Two watches are not ordered
 * between each other: an entry that another process has just made may be seen before the change of
 * the Ingress that it was made for, and then looks like one that nobody wants. Status and
 * annotations count, so the resourceVersion is compared and not the generation. What is left is the
 * time from this answer to the deletion's arrival. Throws as the reader does.
 */
export async function isAsSeen(
  { reader }: Pick<RemovalPorts, "reader">,
  { kind, namespace, name, seen }: RemovalGround,
): Promise<boolean> {
  const present = await reader.read({ kind, namespace, name });
  if (present === null || seen === null) return present === seen;
  const [now, then] = [present.metadata, seen.metadata];
  return now.uid === then.uid && now.resourceVersion === then.resourceVersion;
}

/**
 * Deletes one entry as it was seen, uid and resourceVersion: one that was changed, or taken over by
 * a source that was made again, is another's decision by now. False = it was not as seen, and
 * stays. Throws every other failure.
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
