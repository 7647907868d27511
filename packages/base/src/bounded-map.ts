/**
 * A map with a largest size: the entries that were set longest ago go first, so that any entry may
 * be missing. For values that can be asked for or computed again.
 */

/** A full one drops this part of its entries. */
const DROPPED_SHARE = 1 / 64;

/** A map of `entriesMax` entries at most, in the order of the last `set`, the oldest first. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #entriesMax: number;

  constructor(entriesMax: number) {
    super();
    this.#entriesMax = entriesMax;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size <= this.#entriesMax) return this;
    // Several are dropped at once, because a Map steps over all deleted entries to reach its oldest
    // key.
    let left = Math.ceil(this.#entriesMax * DROPPED_SHARE);
    for (const oldest of this.keys()) {
      this.delete(oldest);
      left -= 1;
      if (left === 0) break;
    }
    return this;
  }
}
