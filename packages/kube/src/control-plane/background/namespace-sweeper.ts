/**
 * Empties namespaces that are being deleted and removes them when they are empty. Objects
 * with finalizers hold the namespace until they are gone.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import { NAMESPACE } from "../../objects/kinds.ts";
import type { KindLookup } from "../objects/kind-lookup.ts";
import type { CommittedChange, ObjectStorage } from "../storage/object-storage.ts";
import type { ObjectWriter } from "../storage/object-writer.ts";
import { removeObjects } from "../storage/remove-objects.ts";
import { BackgroundQueue } from "./background-queue.ts";

/** What the sweeper needs. */
export interface NamespaceSweeperOptions {
  readonly storage: ObjectStorage;
  readonly writer: ObjectWriter;
  readonly kinds: KindLookup;
  readonly clock: Clock;
}

/** Carries out the deletion of namespaces. */
export class NamespaceSweeper {
  readonly #options: NamespaceSweeperOptions;
  /** The work that is under way. */
  readonly queue: BackgroundQueue;

  /** Begins with the namespaces that were being deleted when the store was closed. */
  constructor(options: NamespaceSweeperOptions) {
    this.#options = options;
    this.queue = new BackgroundQueue({
      clock: options.clock,
      handle: (name) => this.#sweep(name),
    });
    for (const { metadata } of options.storage.list(NAMESPACE)) this.#noteNamespace(metadata.name);
    options.storage.listen((change) => this.#note(change));
  }

  #note(change: CommittedChange): void {
    const { metadata } = change.object;
    if (change.kind === NAMESPACE) this.#noteNamespace(metadata.name);
    else if (change.removed && metadata.namespace !== undefined)
      this.#noteNamespace(metadata.namespace);
  }

  #noteNamespace(name: string): void {
    const namespace = this.#options.storage.get(NAMESPACE, "", name);
    if (namespace?.metadata.deletionTimestamp !== undefined) this.queue.add(name);
  }

  async #sweep(namespace: string): Promise<void> {
    const kinds = this.#options.kinds.distinct.filter((kind) => kind.ref.namespaced);
    const { storage, writer } = this.#options;
    for (const kind of kinds) await removeObjects(writer, kind, storage.list(kind.ref, namespace));
    await storage.write((transaction) => {
      const object = transaction.get(NAMESPACE, "", namespace);
      if (object?.metadata.deletionTimestamp === undefined) return;
      const isEmpty = kinds.every((kind) => transaction.list(kind.ref, namespace).length === 0);
      const isHeld = (object.metadata.finalizers ?? []).length > 0;
      if (isEmpty && !isHeld) transaction.remove(NAMESPACE, object);
    });
  }
}
