/**
 * Empties namespaces that are being deleted and removes them when they are empty. Objects
 * with finalizers hold the namespace until they are gone.
 */
import { NAMESPACE } from "../../objects/kinds.ts";
import { removeObjects } from "../storage/remove-objects.ts";
import { type BackgroundOptions, BackgroundQueue } from "./background-queue.ts";

/** Carries out the deletion of namespaces. */
export class NamespaceSweeper {
  readonly #options: BackgroundOptions;
  /** The work that is under way. */
  readonly queue: BackgroundQueue;

  /** Begins with the namespaces that were being deleted when the store was closed. */
  constructor(options: BackgroundOptions) {
    this.#options = options;
    this.queue = new BackgroundQueue(options.clock, (name) => this.#sweep(name));
    for (const { metadata } of options.storage.list(NAMESPACE)) this.#note(metadata.name);
    options.storage.listen(({ kind, object: { metadata }, removed }) => {
      if (kind === NAMESPACE) this.#note(metadata.name);
      else if (removed && metadata.namespace !== undefined) this.#note(metadata.namespace);
    });
  }

  /** Queues the namespace if it is being deleted. */
  #note(name: string): void {
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
