/** Small state in a Store, under a prefix of its own. */
import type { Store } from "@zonekeeper/base/ports/store";

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
