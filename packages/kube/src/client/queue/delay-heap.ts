/**
 * Keys with due times in a binary heap: one timer serves all of them. Each key is in it at most
 * once.
 */

interface Delayed {
  readonly key: string;
  dueMs: number;
  /** Position in the heap. */
  at: number;
}

/** A priority queue of keys by due time; ties in no special order. */
export class DelayHeap {
  readonly #heap: Delayed[] = [];
  readonly #byKey = new Map<string, Delayed>();

  get size(): number {
    return this.#heap.length;
  }

  /** When the first key is due; null = empty. */
  get firstDueMs(): number | null {
    return this.#heap[0]?.dueMs ?? null;
  }

  /** Adds a key, or makes it due earlier; a later time than it has changes nothing. */
  add(key: string, dueMs: number): void {
    const known = this.#byKey.get(key);
    if (known === undefined) {
      const added = { key, dueMs, at: this.#heap.length };
      this.#heap.push(added);
      this.#byKey.set(key, added);
      this.#rise(added);
    } else if (dueMs < known.dueMs) {
      known.dueMs = dueMs;
      this.#rise(known);
    }
  }

  /** Removes and returns a key that is due at `nowMs`; null = none is. */
  takeDue(nowMs: number): string | null {
    const first = this.#heap[0];
    if (first === undefined || first.dueMs > nowMs) return null;
    const last = this.#heap.pop();
    this.#byKey.delete(first.key);
    if (last !== undefined && last !== first) {
      this.#putAt(last, 0);
      this.#sink(last);
    }
    return first.key;
  }

  /** Forgets everything. */
  clear(): void {
    this.#heap.length = 0;
    this.#byKey.clear();
  }

  #rise(item: Delayed): void {
    while (item.at > 0) {
      const parentAt = (item.at - 1) >> 1;
      const parent = this.#heap[parentAt];
      if (parent === undefined || parent.dueMs <= item.dueMs) return;
      this.#putAt(parent, item.at);
      this.#putAt(item, parentAt);
    }
  }

  #sink(item: Delayed): void {
    for (;;) {
      const left = this.#heap[2 * item.at + 1];
      const right = this.#heap[2 * item.at + 2];
      const child =
        left !== undefined && right !== undefined && right.dueMs < left.dueMs ? right : left;
      if (child === undefined || child.dueMs >= item.dueMs) return;
      const childAt = child.at;
      this.#putAt(child, item.at);
      this.#putAt(item, childAt);
    }
  }

  #putAt(item: Delayed, at: number): void {
    this.#heap[at] = item;
    item.at = at;
  }
}
