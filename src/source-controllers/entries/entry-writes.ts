/**
 * Creates and changes the DNSEntries of source objects. Remembers what it created, so that the
 * watch event of it need not be decided again; limits changes that another program undoes each
 * time.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import { type KubeObject, refOf } from "@zonekeeper/kube/objects/kubernetes";
import { namespacedName } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView, ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import { unlessGone } from "../../controllers/objects/unless-gone.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { isSameJson } from "../../model/same-json.ts";
import { noNamespaceText, otherClassText, takenText, undoneText } from "./entry-events.ts";
import { isRestored } from "./entry-signs.ts";
import type { OwnEntries } from "./own-entries.ts";
import { ownerOf, type SourceScope } from "./owner-link.ts";
import type { EntryPatch } from "./plan-entries.ts";
import { UndoneChanges } from "./undone-changes.ts";

/** Milliseconds until a name is tried again whose entry still exists and is being deleted. */
const TAKEN_RETRY_MS = 2_000;
/** Milliseconds until a name is tried again whose namespace the target cluster does not have. */
const NAMESPACE_RETRY_MS = 10_000;

/**
 * Milliseconds until an Event says that the existing entry has another class: the process that made
 * it for the former class of its object usually deletes it sooner (remove-entries.ts).
 */
const OTHER_CLASS_MS = 10_000;

interface EntryWritesOptions {
  readonly scope: SourceScope;
  readonly own: Pick<OwnEntries, "awaitEnd" | "wasMadeHere">;
  /** Belongs to the target cluster. */
  readonly view: Pick<ClusterView, "get">;
  readonly writer: Pick<ClusterWriter, "create" | "patch" | "read">;
  readonly clock: Pick<Clock, "nowMs">;
  /** Queues a source object again after so many milliseconds. */
  readonly again: (key: string, afterMs: number) => void;
}

/** For one source. */
export class EntryWrites {
  readonly #options: EntryWritesOptions;
  readonly #undone: UndoneChanges;
  /** By source object: entries that were created since it was decided last, by `namespace/name`. */
  readonly #sent = new Map<string, Map<string, KubeObject>>();

  /** Since when entries of another class are in the way, by `namespace/name`. */
  readonly #others = new Map<string, number>();

  constructor(options: EntryWritesOptions) {
    this.#options = options;
    this.#undone = new UndoneChanges(options.clock);
  }

  /**
   * Null = created; else a message, empty if there is nothing to report: the object exists and is
   * our own entry, because the answer of a create was lost or it is being deleted. An object that
   * is not linked to this source object stays as it is, and is reported; so does an entry that
   * somebody gave another class.
   */
  async create(key: string, entry: KubeObject): Promise<string | null> {
    const { writer, again } = this.#options;
    const id = namespacedName(entry);
    // The watch may be faster than the answer.
    this.#sent.set(key, (this.#sent.get(key) ?? new Map()).set(id, entry));
    try {
      await writer.create(DNS_ENTRY, entry);
      this.#others.delete(id);
      return null;
    } catch (error) {
      this.#sent.get(key)?.delete(id);
      if (!(error instanceof OperationError)) throw error;
      if (error.code === "NotFound") {
        again(key, NAMESPACE_RETRY_MS);
        return noNamespaceText(entry);
      }
      if (error.code !== "AlreadyExists") throw error;
      return this.#whyPresent(key, entry);
    }
  }

  /**
   * Why an object of the name exists: the message for an Event; empty = it is ours, or gone again.
   */
  async #whyPresent(key: string, entry: KubeObject): Promise<string> {
    const { writer, scope, own, again } = this.#options;
    own.awaitEnd(namespacedName(entry), key);
    const present = await writer.read(refOf(DNS_ENTRY, entry));
    const isLinked = present !== null && ownerOf(scope, present) === key;
    const isEnding = present?.metadata.deletionTimestamp !== undefined;
    // The watch brings it when it gets a class of ours.
    if (isLinked && !isEnding && !own.wasMadeHere(present))
      return this.#whileOther(key, present) ? "" : otherClassText(present, entry);
    this.#others.delete(namespacedName(entry));
    if (present === null || isLinked || isEnding) {
      again(key, TAKEN_RETRY_MS);
      return present === null || isLinked ? "" : takenText(entry);
    }
    if (await this.#relinked(present, entry)) return "";
    again(key, TAKEN_RETRY_MS);
    return takenText(entry);
  }

  /**
   * Links an entry that was restored from a backup to its source object again: backups drop the
   * ownerReference. Its former field managers are cleared (a list of one empty item: Kubernetes,
   * "Clearing managedFields"), so that it is ours as before. False = it is no such entry.
   */
  async #relinked(present: KubeObject, entry: KubeObject): Promise<boolean> {
    const { view, own, writer } = this.#options;
    const { ownerReferences, name, namespace = "" } = entry.metadata;
    const shown = view.get(DNS_ENTRY, namespace, name);
    const { uid } = present.metadata;
    // The API server's answer lacks field managers here; the cached object has them.
    if (shown.state !== "value" || shown.value.metadata.uid !== uid) return false;
    const isGeneratedHere =
      own.wasMadeHere(shown.value) &&
      /* clause: restored-entry-is-linked-again */ isRestored(shown.value, entry);
    if (ownerReferences === undefined || !isGeneratedHere) return false;
    const metadata = { uid, ownerReferences, managedFields: [{}] };
    const ref = refOf(DNS_ENTRY, entry);
    await unlessGone(async () => void (await writer.patch(ref, { metadata })));
    return true;
  }

  /** True = the entry was found with another class only a moment ago, and may soon be deleted. */
  #whileOther(key: string, present: KubeObject): boolean {
    const { clock, again } = this.#options;
    const id = namespacedName(present);
    const sinceMs = this.#others.get(id) ?? clock.nowMs();
    this.#others.set(id, sinceMs);
    const leftMs = sinceMs + OTHER_CLASS_MS - clock.nowMs();
    if (leftMs > 0) again(key, leftMs);
    return leftMs > 0;
  }

  /**
   * Empty = the entry is changed, or does not exist any more; else the message why it is left as it
   * is for a while: another process undoes the change each time.
   */
  async patch(key: string, { entry, patch }: EntryPatch): Promise<string> {
    const id = namespacedName(entry);
    const waitMs = this.#undone.waitMs(id, patch);
    if (waitMs > 0) {
      this.#options.again(key, waitMs);
      return undoneText(entry);
    }
    await unlessGone(async () => {
      await this.#options.writer.patch(refOf(DNS_ENTRY, entry), patch);
      this.#undone.made(id, patch);
    });
    return "";
  }

  /**
   * The source object is decided anew, without entries that the watch has not shown yet: their
   * events are to be decided, too.
   */
  decidedAnew(key: string): void {
    this.#sent.delete(key);
  }

  /** True = the event shows an entry exactly as it was created; answered once for each. */
  isAsSent(key: string, { type, object }: ObjectChange): boolean {
    const ofKey = this.#sent.get(key);
    const sent = ofKey?.get(namespacedName(object));
    ofKey?.delete(namespacedName(object));
    if (ofKey?.size === 0) this.#sent.delete(key);
    return (
      type === "added" && sent !== undefined && isSameJson(sentPartOf(sent), sentPartOf(object))
    );
  }
}

function sentPartOf(entry: KubeObject): unknown {
  const { labels, annotations, ownerReferences, finalizers } = entry.metadata;
  return { labels, annotations, ownerReferences, finalizers, spec: entry["spec"] };
}
