/**
 * A view of the storage in which the changes of one write, and of the writes before it in the same
 * commit, are already visible. Nothing of it reaches the storage unless the commit becomes durable.
 */
import { type KindRef, kindText } from "../../objects/kubernetes.ts";
import type { Meta, StoredObject } from "../objects/served-kind.ts";
import type { LoggedChange } from "./event-log.ts";

/** Committed state, as the storage gives it. */
export interface CommittedState {
  get(kind: KindRef, namespace: string, name: string): StoredObject | null;
  list(kind: KindRef, namespace?: string): readonly StoredObject[];
  /** The metadata with parts that other objects have too. */
  share(metadata: Meta): Meta;
}

/** A change that a transaction has made. */
export interface PendingChange extends LoggedChange {
  readonly kind: KindRef;
  /** The object as JSON; the store and the watches get the same text. */
  readonly text: string;
}

/** Reads and changes of one commit. */
export class Transaction {
  readonly #committed: CommittedState;
  readonly #changes: PendingChange[] = [];
  /** Null = removed. */
  readonly #pending = new Map<string, StoredObject | null>();
  #revision: number;

  constructor(committed: CommittedState, revision: number) {
    this.#committed = committed;
    this.#revision = revision;
  }

  /** A copy that sees the same and can be dropped without trace. */
  fork(): Transaction {
    const copy = new Transaction(this.#committed, this.#revision);
    copy.#changes.push(...this.#changes);
    for (const [key, object] of this.#pending) copy.#pending.set(key, object);
    return copy;
  }

  /** The revision after the last change. */
  get revision(): number {
    return this.#revision;
  }

  /** In the order in which they were made. */
  get changes(): readonly PendingChange[] {
    return this.#changes;
  }

  /** The last change of each object: what has to be written. */
  final(): readonly PendingChange[] {
    const last = new Map<string, PendingChange>();
    for (const change of this.#changes) last.set(pendingKey(change.kind, change.object), change);
    return [...last.values()];
  }

  /** The object as this write sees it, or null. */
  get(kind: KindRef, namespace: string, name: string): StoredObject | null {
    const pending = this.#pending.get(`${kindText(kind)}/${namespace}/${name}`);
    return pending === undefined ? this.#committed.get(kind, namespace, name) : pending;
  }

  /**
   * Objects as this write sees them; changed ones come last. Of one namespace unless it is empty.
   */
  list(kind: KindRef, namespace = ""): readonly StoredObject[] {
    const committed = this.#committed.list(kind, namespace);
    if (this.#pending.size === 0) return committed;
    const kept = committed.filter((object) => !this.#pending.has(pendingKey(kind, object)));
    const prefix = `${kindText(kind)}/`;
    const changed = [...this.#pending].flatMap(([key, object]) => {
      const isIn = namespace === "" || object?.metadata.namespace === namespace;
      return object !== null && isIn && key.startsWith(prefix) ? [object] : [];
    });
    return [...kept, ...changed];
  }

  /** Keeps the object under the next revision and returns it with that. */
  put(kind: KindRef, object: StoredObject): StoredObject {
    return this.#change(kind, object, false);
  }

  /** Removes the object; the result carries the revision of the removal. */
  remove(kind: KindRef, object: StoredObject): StoredObject {
    return this.#change(kind, object, true);
  }

  #change(kind: KindRef, object: StoredObject, removed: boolean): StoredObject {
    const { namespace = "", name } = object.metadata;
    const previous = this.get(kind, namespace, name);
    this.#revision += 1;
    const revision = this.#revision;
    const metadata = { ...object.metadata, resourceVersion: String(revision) };
    const stored: StoredObject = { ...object, metadata: this.#committed.share(metadata) };
    const text = JSON.stringify(stored);
    const encoded = new Map<string, Uint8Array>();
    this.#changes.push({ kind, revision, object: stored, previous, removed, encoded, text });
    this.#pending.set(pendingKey(kind, stored), removed ? null : stored);
    return stored;
  }
}

function pendingKey(kind: KindRef, object: StoredObject): string {
  return `${kindText(kind)}/${object.metadata.namespace ?? ""}/${object.metadata.name}`;
}
