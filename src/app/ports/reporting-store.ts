/**
 * A Store that says once when it cannot be written, and once when it can be again: what is written
 * fails meanwhile, what is read goes on.
 */
import { messageOf } from "@zonekeeper/base/operation-error";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Store, StoreOperation } from "@zonekeeper/base/ports/store";

/** Hands everything on to another store. */
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
