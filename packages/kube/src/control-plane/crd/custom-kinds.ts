/**
 * The kinds that definitions make: they are served when their definition is kept and established,
 * and go when it goes. Carries out the deletion of definitions: their objects go first.
 */
import { CUSTOM_RESOURCE_DEFINITION } from "../../objects/kinds.ts";
import { kindText } from "../../objects/kubernetes.ts";
import { type BackgroundOptions, BackgroundQueue } from "../background/background-queue.ts";
import { objectAt } from "../json/json.ts";
import type { ServedKind, StoredObject } from "../objects/served-kind.ts";
import type { CommittedChange } from "../storage/object-storage.ts";
import { removeObjects } from "../storage/remove-objects.ts";
import { type CustomServing, customKinds } from "./custom-kind.ts";
import { definitionOf, isEstablished, namesOf } from "./definition.ts";
import { CLEANUP_FINALIZER } from "./definition-kind.ts";

/** What the custom kinds need. `kinds` gets them in addition to `builtIn`. */
export interface CustomKindsOptions extends BackgroundOptions {
  /** The kinds that are always there; CustomResourceDefinition is one of them. */
  readonly builtIn: readonly ServedKind[];
}

/** The kind of definitions, for writes. */
const DEFINITIONS = CUSTOM_RESOURCE_DEFINITION;

/** Serves what definitions define. */
export class CustomKinds {
  readonly #options: CustomKindsOptions;
  /** The work that is under way. */
  readonly queue: BackgroundQueue;
  /** By name of the definition. */
  readonly #served = new Map<string, CustomServing>();

  /** Begins with the definitions that the storage holds. */
  constructor(options: CustomKindsOptions) {
    this.#options = options;
    const { clock, storage } = options;
    this.queue = new BackgroundQueue(clock, (name) => this.#handle(name));
    for (const definition of storage.list(DEFINITIONS)) this.#serve(definition);
    this.#publish();
    storage.listen((change) => this.#note(change));
  }

  #note(change: CommittedChange): void {
    if (change.kind === DEFINITIONS) {
      if (change.removed) this.#drop(change.object.metadata.name);
      else this.#serve(change.object);
      this.#publish();
      return;
    }
    const name = kindText(change.kind);
    if (change.removed && this.#served.has(name)) this.#noteDeletion(name);
  }

  /** The schema, the names or the versions may have changed. */
  #serve(object: StoredObject): void {
    if (isEstablished(object)) {
      const accepted = namesOf(objectAt(object, "status")["acceptedNames"]);
      const definition = { ...definitionOf(object), names: accepted };
      // A first definition has only objects of its own schema: they need no conversion when read.
      const isRevised = (object.metadata.generation ?? 1) > 1;
      const serving = customKinds(definition, isRevised);
      this.#served.set(object.metadata.name, serving);
      this.#options.storage.serve(serving.kept.ref);
    }
    this.#noteDeletion(object.metadata.name);
  }

  #drop(name: string): void {
    const serving = this.#served.get(name);
    if (serving !== undefined) this.#options.storage.drop(serving.kept.ref);
    this.#served.delete(name);
  }

  #publish(): void {
    const { builtIn, kinds } = this.#options;
    kinds.replace([...builtIn, ...[...this.#served.values()].flatMap((each) => each.served)]);
  }

  #noteDeletion(name: string): void {
    const definition = this.#options.storage.get(DEFINITIONS, "", name);
    if (definition?.metadata.deletionTimestamp !== undefined) this.queue.add(name);
  }

  /** Empties a kind whose definition is being deleted. */
  async #handle(name: string): Promise<void> {
    const definition = this.#options.storage.get(DEFINITIONS, "", name);
    if (definition?.metadata.deletionTimestamp === undefined) return;
    const kind = this.#served.get(name)?.kept ?? null;
    const { storage, writer } = this.#options;
    if (kind !== null) await removeObjects(writer, kind, storage.list(kind.ref));
    // The definition goes with its last object; in one step, so that no object comes in between.
    await storage.write((transaction) => {
      const definition = transaction.get(DEFINITIONS, "", name);
      if (definition?.metadata.deletionTimestamp === undefined) return;
      if (kind !== null && transaction.list(kind.ref).length > 0) return;
      const all = definition.metadata.finalizers ?? [];
      const finalizers = all.filter((each) => each !== CLEANUP_FINALIZER);
      const metadata = { ...definition.metadata, finalizers };
      if (finalizers.length === 0) transaction.remove(DEFINITIONS, definition);
      else if (finalizers.length < all.length)
        transaction.put(DEFINITIONS, { ...definition, metadata });
    });
  }
}
