/**
 * Deletes generated DNSEntries, only if the API server has the source object as it was when the
 * deletion was decided. A zone is fenced against a process that has lost its Lease or lags behind;
 * nothing fences that process's writes to the cluster, and the present leader would remove the
 * records of an entry that it deleted.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import {
  type KindRef,
  type KubeObject,
  refOf,
  uidOf,
  versionOf,
} from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import { unlessGone } from "../../controllers/objects/unless-gone.ts";
import { isWantedAgain } from "../../gardener/dns-entry/entry.ts";
import { WANTED_AGAIN_ANNOTATION } from "../../model/annotation-keys.ts";
import { classOf, type DnsClasses, isOfClass } from "../../model/dns-class.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import type { ClusterIdentity } from "../../ports/cluster-identity.ts";
import { changing, each } from "./run-each.ts";

/**
 * Milliseconds until removals are decided again where the API server showed a newer state than the
 * cache.
 */
const MOVED_RETRY_MS = 1_000;
/**
 * The same, while the source cluster may be another one than before and a person must say which it
 * is.
 */
const CHANGED_RETRY_MS = 30_000;
/**
 * Milliseconds to wait after the object got a class that this process does not read: the process
 * that reads that class may take the entries over, by an annotation.
 */
const HANDOVER_MS = 5_000;

/** Everything that single removals are made with. */
interface RemovalPorts {
  /** API of the source cluster; asked past the cache. */
  readonly reader: Pick<ClusterWriter, "read">;
  /** API of the cluster of the entries. */
  readonly writer: Pick<ClusterWriter, "remove">;
}

interface EntryRemovalsOptions extends RemovalPorts {
  readonly writer: Pick<ClusterWriter, "remove" | "patch">;
  /** Whether the source cluster still is the same one. Absent = it is not checked. */
  readonly identity?: ClusterIdentity;
  /** Classes of the source objects that this process reads. */
  readonly sourceClasses: DnsClasses;
  readonly clock: Pick<Clock, "nowMs">;
  /** Queues a source object again after so many milliseconds. */
  readonly again: (key: string, afterMs: number) => void;
}

/** The source object from which removals were decided. */
interface SeenObject {
  readonly kind: KindRef;
  readonly namespace: string;
  readonly name: string;
  /** The source object as the cache had it; null = the cache says that it is gone. */
  readonly seen: KubeObject | null;
}

/** The source object as the cache has it. */
export function asSeen(kind: KindRef, seen: KubeObject): SeenObject {
  const { namespace = "", name } = seen.metadata;
  return { kind, namespace, name, seen };
}

/** A decision to remove entries. */
interface Removal {
  readonly decidedFrom: SeenObject;
  readonly entries: readonly KubeObject[];
  /** Called for each entry that was deleted. */
  readonly onRemoved: (entry: KubeObject) => void;
}

/** For one source. */
export class EntryRemovals {
  readonly #options: EntryRemovalsOptions;
  /** Source objects that got a class of another process: uid and class, and since when. */
  readonly #away = new Map<string, { readonly text: string; readonly sinceMs: number }>();

  constructor(options: EntryRemovalsOptions) {
    this.#options = options;
  }

  /**
   * An entry that has changed since the decision stays and is decided again. One that is being
   * deleted already loses the annotation that asks for its return (Z-30). All stay while the source
   * cluster may be another one than before (Z-30), and for a while after the object got another
   * class (Z-25).
   */
  async remove(key: string, { decidedFrom, entries, onRemoved }: Removal): Promise<void> {
    const staying = entries.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    // Only for a deleted object: of one that exists, planEntries removes the annotation.
    const awaited = entries.filter((entry) => !staying.includes(entry) && isWantedAgain(entry));
    if (staying.length + awaited.length === 0) return;
    const { identity, again } = this.#options;
    if (identity?.trouble) return again(key, CHANGED_RETRY_MS);
    if (identity?.isChecked === false) return again(key, MOVED_RETRY_MS);
    if (decidedFrom.seen === null) this.#away.delete(key);
    // In this time another process may take the entries over.
    const away = this.#away.get(key);
    const waitMs =
      away === undefined ? 0 : away.sinceMs + HANDOVER_MS - this.#options.clock.nowMs();
    if (waitMs > 0) return again(key, waitMs);
    if (!(await isAsSeen(this.#options, decidedFrom))) return again(key, MOVED_RETRY_MS);
    await each([
      ...awaited.map(
        (entry) => /* clause: gone-object-requests-no-entry */ () =>
          unlessGone(async () => {
            const metadata = { ...uidOf(entry), annotations: { [WANTED_AGAIN_ANNOTATION]: null } };
            await this.#options.writer.patch(refOf(DNS_ENTRY, entry), { metadata });
          }),
      ),
      ...staying.map((entry) =>
        changing(entry, async () => {
          if (await removeAsSeen(this.#options, entry)) onRemoved(entry);
          else again(key, MOVED_RETRY_MS);
        }),
      ),
    ]);
  }

  /** To be called with each object before anything is decided about it. */
  sees(key: string, object: KubeObject, hasEntries: boolean): void {
    const text = `${object.metadata.uid ?? ""} ${classOf(object)}`;
    if (!hasEntries || isOfClass(object, this.#options.sourceClasses)) this.#away.delete(key);
    else if (this.#away.get(key)?.text !== text)
      this.#away.set(key, { text, sinceMs: this.#options.clock.nowMs() });
  }
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
  entry: KubeObject,
): Promise<boolean> {
  try {
    await writer.remove(refOf(DNS_ENTRY, entry), { ...uidOf(entry), ...versionOf(entry) });
    return true;
  } catch (error) {
    if (error instanceof OperationError && error.code === "Conflict") return false;
    throw error;
  }
}
