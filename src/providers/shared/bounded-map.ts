/**
 * What a session remembers beside the zones: tokens, forms, record sets. Bounded: the oldest entry
 * goes first, so that any entry may be missing. Nothing here knows an API.
 */

/** One for each kind of thing and session; keys are the caller's. */
export class BoundedMap<T> {
  readonly #entriesMax: number;
  /** The oldest first. */
  readonly #entries = new Map<string, T>();

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  /** Null = it is not known. */
  at(key: string): T | null {
    return this.#entries.get(key) ?? null;
  }

  put(key: string, value: T): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#entriesMax) return;
      this.#entries.delete(oldest);
    }
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }
}
