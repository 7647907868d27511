/** First in, first out, in constant time: an array with a moving head. */

/** The array is compacted when this many slots, and more than half, are consumed. */
const COMPACT_FROM = 1024;

/** An unbounded queue; its user must bound it. */
export class Fifo<T> {
  #items: T[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  /** Adds at the end. */
  push(item: T): void {
    this.#items.push(item);
  }

  /** Takes the first; undefined = empty. */
  shift(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#head];
    this.#head += 1;
    if (this.#head >= COMPACT_FROM && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Forgets everything. */
  clear(): void {
    this.#items = [];
    this.#head = 0;
  }
}
