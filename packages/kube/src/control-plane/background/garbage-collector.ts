/**
 * Follows ownerReferences as Kubernetes' garbage collector does: an object goes when all its owners
 * are proven gone; foreground deletions wait for dependents that block, orphaning ones keep the
 * dependents. An owner of a kind that is not served is unknown, and unknown is not gone.
 */
import { type KindRef, kindText, type OwnerReference } from "../../objects/kubernetes.ts";
import { ApiError } from "../errors/api-error.ts";
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from "../objects/deletion.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { type CommittedChange, objectKey } from "../storage/object-storage.ts";
import type { WriteTarget } from "../storage/object-writer.ts";
import { type BackgroundOptions, BackgroundQueue } from "./background-queue.ts";

interface Found {
  readonly target: WriteTarget;
  readonly object: StoredObject;
}

/** Removes what has lost its owners. */
export class GarbageCollector {
  readonly #options: BackgroundOptions;
  readonly #index = new OwnerIndex();
  /** The work that is under way. */
  readonly queue: BackgroundQueue;

  /** Begins with all objects of the storage, so that garbage from before a crash is found. */
  constructor(options: BackgroundOptions) {
    this.#options = options;
    this.queue = new BackgroundQueue(options.clock, (address) => this.#handle(address));
    const { storage } = options;
    for (const kind of storage.kinds)
      for (const object of storage.list(kind)) {
        const address = addressOf(kind, object);
        this.#index.update(address, null, object);
        this.#noteObject(address, object);
      }
    storage.listen((change) => this.#note(change));
  }

  #note(change: CommittedChange): void {
    const { object, previous, removed } = change;
    const address = addressOf(change.kind, object);
    this.#index.update(address, previous, removed ? null : object);
    if (!removed) {
      this.#noteObject(address, object);
      return;
    }
    for (const dependent of this.#index.dependentsOf(object.metadata.uid ?? ""))
      this.queue.add(dependent);
    for (const owner of object.metadata.ownerReferences ?? []) {
      const found = this.#ownerAddress(owner, object);
      if (found !== null) this.queue.add(found);
    }
  }

  /** Only objects with owners, or with a finalizer of the collector, are queued. */
  #noteObject(address: string, object: StoredObject): void {
    const { metadata } = object;
    const isWaiting = (metadata.finalizers ?? []).some(isCollectorFinalizer);
    if (isWaiting || (metadata.ownerReferences ?? []).length > 0) this.queue.add(address);
  }

  async #handle(address: string): Promise<void> {
    const found = this.#find(address);
    if (found === null) return;
    try {
      await this.#collect(found);
    } catch (error) {
      // Gone or changed meanwhile: the change itself has queued the object again.
      if (!(error instanceof ApiError) || (error.code !== 404 && error.code !== 409)) throw error;
    }
  }

  /** Decides about one object. */
  async #collect(found: Found): Promise<void> {
    const { metadata } = found.object;
    const finalizers = metadata.finalizers ?? [];
    if (metadata.deletionTimestamp !== undefined) {
      if (finalizers.includes(ORPHAN_FINALIZER)) await this.#orphan(found);
      else if (finalizers.includes(FOREGROUND_FINALIZER)) await this.#foreground(found);
      return;
    }
    const owners = metadata.ownerReferences ?? [];
    if (owners.length === 0) return;
    const kept = owners.filter((owner) => !this.#isGone(owner, found.object));
    if (kept.length === 0) await this.#remove(found);
    else if (kept.length < owners.length) await this.#change(found, { ownerReferences: kept });
  }

  /** Removes this owner from its dependents, then the finalizer from the owner. */
  async #orphan(found: Found): Promise<void> {
    const { uid } = found.object.metadata;
    for (const dependent of this.#dependents(found)) {
      const owners = dependent.object.metadata.ownerReferences ?? [];
      const ownerReferences = owners.filter((owner) => owner.uid !== uid);
      await this.#change(dependent, { ownerReferences });
    }
    await this.#dropFinalizer(found, ORPHAN_FINALIZER);
  }

  /** Removes the dependents; the owner is removed after the last blocking one. */
  async #foreground(found: Found): Promise<void> {
    const { uid } = found.object.metadata;
    for (const dependent of this.#dependents(found))
      if (dependent.object.metadata.deletionTimestamp === undefined) await this.#remove(dependent);
    const isBlocked = this.#dependents(found).some(({ object }) =>
      (object.metadata.ownerReferences ?? []).some(
        (owner) => owner.uid === uid && owner.blockOwnerDeletion === true,
      ),
    );
    if (!isBlocked) await this.#dropFinalizer(found, FOREGROUND_FINALIZER);
  }

  /** Removes exactly the version that was read: an owner may have been added since. */
  async #remove(found: Found): Promise<void> {
    const { uid = null, resourceVersion = null } = found.object.metadata;
    const options = { uid, resourceVersion, propagation: "Background" } as const;
    await this.#options.writer.remove(found.target, options);
  }

  async #dropFinalizer(found: Found, finalizer: string): Promise<void> {
    const all = found.object.metadata.finalizers ?? [];
    await this.#change(found, { finalizers: all.filter((each) => each !== finalizer) });
  }

  /** Changes metadata of exactly the version that was read. */
  async #change(
    found: Found,
    fields: Partial<Pick<StoredObject["metadata"], "finalizers" | "ownerReferences">>,
  ): Promise<void> {
    const { object, target } = found;
    const changed = { ...object, metadata: { ...object.metadata, ...fields } };
    await this.#options.writer.change({ ...target, part: "main", apply: () => changed });
  }

  #dependents(owner: Found): readonly Found[] {
    return this.#index
      .dependentsOf(owner.object.metadata.uid ?? "")
      .map((address) => this.#find(address))
      .filter((found) => found !== null);
  }

  /** The object at an address with what is needed to write it; null = it is not there. */
  #find(address: string): Found | null {
    const [plural = "", namespace = "", name = ""] = address.split("/");
    const kind = this.#options.kinds.byText(plural);
    const object = kind === null ? null : this.#options.storage.get(kind.kept, namespace, name);
    if (kind === null || object === null) return null;
    return { object, target: { kind, namespace, name, dryRun: false } };
  }

  /**
   * An owner lies in the namespace of its dependent or in none. Null = unknown: its kind is not
   * served, or it would lie in a namespace and the dependent has none (Kubernetes, "Owners and
   * Dependents": unresolvable since 1.20).
   */
  #ownerAddress(owner: OwnerReference, dependent: StoredObject): string | null {
    const kind = this.#options.kinds.byType(owner.apiVersion, owner.kind);
    const namespace = kind?.ref.namespaced === true ? dependent.metadata.namespace : "";
    if (kind === null || namespace === undefined) return null;
    return `${kindText(kind.ref)}/${namespace}/${owner.name}`;
  }

  /** True only when the owner's kind is served and no object of that name has the uid. */
  #isGone(owner: OwnerReference, dependent: StoredObject): boolean {
    const address = this.#ownerAddress(owner, dependent);
    if (address === null) return false;
    return this.#find(address)?.object.metadata.uid !== owner.uid;
  }
}

const isCollectorFinalizer = (finalizer: string): boolean =>
  finalizer === FOREGROUND_FINALIZER || finalizer === ORPHAN_FINALIZER;

/** The address of an object in one string: `plural.group/namespace/name`. */
function addressOf(kind: KindRef, object: StoredObject): string {
  return `${kindText(kind)}/${objectKey(object)}`;
}

/** Which objects name which owner, by the owner's uid. Follows committed changes; asks nothing. */
class OwnerIndex {
  readonly #dependents = new Map<string, Set<string>>();

  /** Takes a change over; `null` = was or is not there. */
  update(address: string, before: StoredObject | null, after: StoredObject | null): void {
    for (const { uid } of before?.metadata.ownerReferences ?? []) {
      const known = this.#dependents.get(uid);
      known?.delete(address);
      if (known?.size === 0) this.#dependents.delete(uid);
    }
    for (const { uid } of after?.metadata.ownerReferences ?? []) {
      const known = this.#dependents.get(uid) ?? new Set();
      this.#dependents.set(uid, known.add(address));
    }
  }

  /** Addresses of the objects that name the owner. */
  dependentsOf(uid: string): readonly string[] {
    return [...(this.#dependents.get(uid) ?? [])];
  }
}
