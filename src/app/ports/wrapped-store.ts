/** Stores over another Store: one that reports, and small state under a prefix of its own. */
import { messageOf } from "@zonekeeper/base/operation-error";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Store, StoreOperation } from "@zonekeeper/base/ports/store";

/**
 * Hands everything on to another store, and says once when it cannot be written, and once when it
 * can be again: what is written fails meanwhile, what is read goes on.
 */
export class ReportingStore implements Store {
  readonly #store: Store;
  readonly #log: Log;
  #isFailing = false;

  constructor(store: Store, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  get(key: string): string | null {
    return this.#store.get(key);
  }

  range(prefix: string): Iterable<readonly [key: string, value: string]> {
    return this.#store.range(prefix);
  }

  /** Rejects as the store does. */
  async write(operations: readonly StoreOperation[]): Promise<void> {
    try {
      await this.#store.write(operations);
    } catch (error) {
      if (!this.#isFailing)
        this.#log.error(
          "the store cannot be written: reading goes on, and writing when there is room again",
          { error: messageOf(error) },
        );
      this.#isFailing = true;
      throw error;
    }
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#log.info("the store is written again");
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

/** Reads and writes texts by key; structurally the StateStore port. */
export class StoredState {
  readonly #store: Store;
  readonly #prefix: string;

  constructor(store: Store, prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
  }

  /** Null = never written. */
  async read(key: string): Promise<string | null> {
    return this.#store.get(this.#prefix + key);
  }

  /** Resolves when a restart will see it. */
  async write(key: string, value: string): Promise<void> {
    await this.#store.write([{ put: this.#prefix + key, value }]);
  }
}
