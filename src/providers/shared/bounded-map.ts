/**
 * What a session remembers beside the zones: tokens, forms, record sets. Bounded: the oldest entry
 * goes first, so that any entry may be missing. Nothing here knows an API.
 */

/** A full one drops this part of its entries. */
const DROPPED_SHARE = 1 / 8;

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
    if (this.#entries.size <= this.#entriesMax) return;
    // Some at once: the way to the oldest key of a Map leads over all that were deleted before it.
    let left = Math.ceil(this.#entriesMax * DROPPED_SHARE);
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      left -= 1;
      if (left === 0) return;
    }
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }
}
