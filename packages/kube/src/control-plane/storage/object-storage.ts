/**
 * All objects with one rising revision, kept in memory and made durable in a Store before a write
 * is answered. Writes queue up and are committed in groups; readers see committed state only. Knows
 * nothing of HTTP, validation or kinds' rules.
 */
import { jsonIn } from "@zonekeeper/base/json-text";
import { OperationError } from "@zonekeeper/base/operation-error";
import type { Store, StoreOperation } from "@zonekeeper/base/ports/store";
import { type KindRef, kindText } from "../../objects/kubernetes.ts";
import { ApiError, noSuchPath } from "../errors/api-error.ts";
import { isObject } from "../json/json.ts";
import type { Meta, StoredObject } from "../objects/served-kind.ts";
import { EventLog, type LoggedChange } from "./event-log.ts";
import { SharedFields } from "./shared-fields.ts";
import { Transaction } from "./transaction.ts";

/** Key of the newest revision in the store. */
const REVISION_KEY = "control-plane/revision";
const OBJECT_PREFIX = "control-plane/object/";
/** Writes that one group commit takes at most. */
const GROUP_MAX = 256;
/** Writes that may wait; more are refused with 429. */
const QUEUE_MAX = 16_384;

/** A change as listeners get it. */
export interface CommittedChange extends LoggedChange {
  readonly kind: KindRef;
}

interface QueuedWrite {
  /** Runs the change and returns how to answer it once the group is durable. */
  readonly run: (transaction: Transaction) => () => void;
  readonly fail: (error: unknown) => void;
}

/** What `ObjectStorage.open` needs. */
export interface ObjectStorageOptions {
  readonly store: Store;
  readonly kinds: readonly KindRef[];
  /** Changes kept for watches of one kind; default `LOG_ENTRIES_MAX`. */
  readonly logEntriesMax?: number;
}

/** The objects of one kind by `namespace/name`, and the log of their changes. */
interface Shelf {
  readonly kind: KindRef;
  readonly objects: Map<string, StoredObject>;
  readonly log: EventLog;
  /** Keys in order; null after a key came or went. */
  sorted: readonly string[] | null;
}

/** Durable storage of all kinds. */
export class ObjectStorage {
  readonly #store: Store;
  readonly #shelves = new Map<string, Shelf>();
  readonly #queue: QueuedWrite[] = [];
  readonly #listeners = new Set<(change: CommittedChange) => void>();
  readonly #logEntriesMax: number | undefined;
  readonly #shared = new SharedFields();
  #revision: number;
  #draining: Promise<void> | null = null;

  private constructor(options: ObjectStorageOptions) {
    this.#store = options.store;
    this.#logEntriesMax = options.logEntriesMax;
    const kept = Number(options.store.get(REVISION_KEY) ?? "0");
    // Revision 0 means "any" in the API, so the first one is 1.
    this.#revision = Number.isSafeInteger(kept) && kept > 0 ? kept : 1;
    for (const kind of options.kinds) this.#shelves.set(kindText(kind), this.#emptyShelf(kind));
  }

  #emptyShelf(kind: KindRef): Shelf {
    const log = new EventLog(this.#revision, this.#logEntriesMax);
    return { kind, objects: new Map(), log, sorted: null };
  }

  /**
   * Loads everything that the store holds; throws OperationError `StoreCorrupt`. Objects of kinds
   * that are not served stay untouched in the store.
   */
  static open(options: ObjectStorageOptions): ObjectStorage {
    const storage = new ObjectStorage(options);
    for (const [key, value] of options.store.range(OBJECT_PREFIX)) storage.#load(key, value);
    return storage;
  }

  /**
   * Keeps one more kind, with what the store holds of it; idempotent. Throws OperationError
   * `StoreCorrupt`.
   */
  serve(kind: KindRef): void {
    const text = kindText(kind);
    if (this.#shelves.has(text)) return;
    this.#shelves.set(text, this.#emptyShelf(kind));
    for (const [key, value] of this.#store.range(`${OBJECT_PREFIX}${text}/`))
      this.#load(key, value);
  }

  /**
   * Stops serving the kind and ends its watches; its objects stay in the store.
   * Idempotent.
   */
  drop(kind: KindRef): void {
    this.#shelves.get(kindText(kind))?.log.close();
    this.#shelves.delete(kindText(kind));
  }

  /** The revision of the last committed change. */
  get revision(): number {
    return this.#revision;
  }

  /** The kinds that are kept. */
  get kinds(): readonly KindRef[] {
    return [...this.#shelves.values()].map((shelf) => shelf.kind);
  }

  /** The committed object, or null. `namespace` is empty for cluster-scoped kinds. */
  get(kind: KindRef, namespace: string, name: string): StoredObject | null {
    return this.#shelf(kind).objects.get(`${namespace}/${name}`) ?? null;
  }

  /** Committed objects sorted by namespace and name; of one namespace unless it is empty. */
  list(kind: KindRef, namespace = ""): readonly StoredObject[] {
    const shelf = this.#shelf(kind);
    shelf.sorted ??= [...shelf.objects.keys()].sort();
    const found: StoredObject[] = [];
    for (const key of shelf.sorted) {
      const object = shelf.objects.get(key);
      if (object !== undefined && (namespace === "" || object.metadata.namespace === namespace))
        found.push(object);
    }
    return found;
  }

  /**
   * The metadata with parts that other objects have too: equal records of owned fields are kept
   * once.
   */
  share(metadata: Meta): Meta {
    return this.#shared.share(metadata);
  }

  /** The changes of a kind. */
  log(kind: KindRef): EventLog {
    return this.#shelf(kind).log;
  }

  /**
   * Calls `listener` with each change of each commit, in order, until the returned function is
   * called.
   */
  listen(listener: (change: CommittedChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Runs `change` when it is its turn; what it puts and removes is one atomic step. Resolves with
   * its result when that is durable. What `change` throws rejects, and nothing of it is kept.
   */
  write<T>(change: (transaction: Transaction) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#queue.length >= QUEUE_MAX) {
        const message = "too many writes are waiting; try again later";
        reject(new ApiError("TooManyRequests", message, { retryAfterSeconds: 1 }));
        return;
      }
      const run = (transaction: Transaction): (() => void) => {
        const result = change(transaction);
        return () => resolve(result);
      };
      this.#queue.push({ run, fail: reject });
      this.#draining ??= this.#drain();
    });
  }

  /** True when no write waits or runs. */
  get isSettled(): boolean {
    return this.#draining === null;
  }

  /** Resolves when no write is waiting. */
  async settled(): Promise<void> {
    while (this.#draining !== null) await this.#draining;
  }

  async #drain(): Promise<void> {
    // A turn of the microtask queue lets writes that arrive together share one commit.
    await Promise.resolve();
    while (this.#queue.length > 0) await this.#commit(this.#queue.splice(0, GROUP_MAX));
    this.#draining = null;
  }

  async #commit(group: readonly QueuedWrite[]): Promise<void> {
    let transaction = new Transaction(this, this.#revision);
    const accepted: { answer: () => void; fail: QueuedWrite["fail"] }[] = [];
    for (const write of group) {
      const attempt = transaction.fork();
      try {
        accepted.push({ answer: write.run(attempt), fail: write.fail });
        transaction = attempt;
      } catch (error) {
        write.fail(error);
      }
    }
    const trouble = await this.#persist(transaction);
    if (trouble === null) this.#apply(transaction);
    for (const { answer, fail } of accepted) {
      if (trouble === null) answer();
      else fail(trouble);
    }
  }

  /**
   * Null = durable. After a failed write the store is asked what it holds: an error may hide a
   * success.
   */
  async #persist(transaction: Transaction): Promise<ApiError | null> {
    if (transaction.changes.length === 0) return null;
    const operations: StoreOperation[] = [];
    for (const change of transaction.final()) {
      const key = `${OBJECT_PREFIX}${kindText(change.kind)}/${objectKey(change.object)}`;
      operations.push(change.removed ? { remove: key } : { put: key, value: change.text });
    }
    operations.push({ put: REVISION_KEY, value: String(transaction.revision) });
    try {
      await this.#store.write(operations);
      return null;
    } catch {
      if (this.#store.get(REVISION_KEY) === String(transaction.revision)) return null;
      const message =
        "the store cannot be written, and nothing was changed; the log says why. Try again when that is mended";
      return new ApiError("InternalError", message);
    }
  }

  #apply(transaction: Transaction): void {
    if (transaction.changes.length === 0) return;
    this.#revision = transaction.revision;
    for (const change of transaction.changes) {
      const shelf = this.#shelf(change.kind);
      const key = objectKey(change.object);
      if (change.removed) shelf.objects.delete(key);
      else shelf.objects.set(key, change.object);
      if (change.removed || change.previous === null) shelf.sorted = null;
    }
    for (const { text, kind, ...change } of transaction.changes)
      this.#shelf(kind).log.append(change, text.length);
    for (const listener of this.#listeners)
      for (const change of transaction.changes) listener(change);
  }

  #load(key: string, value: string): void {
    const [plural = "", ...address] = key.slice(OBJECT_PREFIX.length).split("/");
    const object = jsonIn(value);
    // A crash cannot cause a later revision, but a store that was edited by hand can: revisions
    // never go back.
    if (!isStoredObject(object) || !(Number(object.metadata.resourceVersion) <= this.#revision))
      throw corrupt(key);
    const kept = { ...object, metadata: this.share(object.metadata) };
    this.#shelves.get(plural)?.objects.set(address.join("/"), kept);
  }

  #shelf(kind: KindRef): Shelf {
    const shelf = this.#shelves.get(kindText(kind));
    // A definition may go between the request and the write.
    if (shelf === undefined) throw noSuchPath();
    return shelf;
  }
}

/** `namespace/name`; the namespace is empty for cluster-scoped objects. */
export function objectKey(object: StoredObject): string {
  return `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
}

/** True for what can be an object: apiVersion, kind and metadata with a name are there. */
export function isStoredObject(value: unknown): value is StoredObject {
  return (
    isObject(value) &&
    typeof value["apiVersion"] === "string" &&
    typeof value["kind"] === "string" &&
    isObject(value["metadata"]) &&
    typeof value["metadata"]["name"] === "string"
  );
}

function corrupt(key: string): OperationError {
  return new OperationError({
    code: "StoreCorrupt",
    message: `the stored object ${key} cannot be read; restore the data folder or remove it`,
    retry: "never",
  });
}
