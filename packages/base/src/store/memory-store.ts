/**
 * A Store in memory, with the promises of the port: ordered, all or nothing, a range is one moment.
 * For tests, the simulator and short-lived servers. Survives nothing itself; `contents` and
 * `entries` carry it over a "restart".
 */
import { compareText } from "../compare-text.ts";
import { retryable } from "../operation-error.ts";
import type { Store, StoreOperation } from "../ports/store.ts";

/**
 * What becomes of a write. `lost`: nothing is applied and the write rejects.
 * `applied-unacknowledged`: it is applied and rejects all the same, as when a process dies between
 * the disk and the answer.
 */
export type WriteOutcome = "applied" | "lost" | "applied-unacknowledged";

/**
 * Decides the outcome of each write; `number` counts them from 1. A slow promise is a slow disk.
 */
export type StoreFault = (
  number: number,
  operations: readonly StoreOperation[],
) => Promise<WriteOutcome>;

/** Options of a MemoryStore. */
export interface MemoryStoreOptions {
  /** Its content at the start; default empty. */
  readonly entries?: Iterable<readonly [key: string, value: string]>;
  /** Default: every write is applied. */
  readonly fault?: StoreFault;
}

/** An in-memory Store. */
export class MemoryStore implements Store {
  readonly #values: Map<string, string>;
  readonly #fault: StoreFault | null;
  /** Keys in order; behind by `#added` and by removed keys, which are no longer in `#values`. */
  #sortedKeys: readonly string[];
  #added = new Set<string>();
  #removed = false;
  #writes = 0;
  #closed = false;
  /** Resolves, never rejects, when all writes so far are decided. */
  #tail: Promise<void> = Promise.resolve();

  constructor(options: MemoryStoreOptions = {}) {
    this.#values = new Map(options.entries ?? []);
    this.#sortedKeys = [...this.#values.keys()].sort(compareText);
    this.#fault = options.fault ?? null;
  }

  get(key: string): string | null {
    return this.#values.get(key) ?? null;
  }

  range(prefix: string): Iterable<readonly [key: string, value: string]> {
    const keys = this.#keys();
    const found: (readonly [string, string])[] = [];
    for (let index = firstAtOrAfter(keys, prefix); index < keys.length; index++) {
      const key = keys[index] ?? "";
      if (!key.startsWith(prefix)) break;
      found.push([key, this.#values.get(key) ?? ""]);
    }
    return found;
  }

  /**
   * Rejects with OperationError `StoreClosed` after `close`, and `StoreWriteFailed` when the fault
   * hook says so.
   */
  write(operations: readonly StoreOperation[]): Promise<void> {
    if (this.#closed)
      return Promise.reject(retryable("StoreClosed", "the store is closed; nothing was written"));
    this.#writes += 1;
    const number = this.#writes;
    const done = this.#tail.then(() => this.#carryOut(number, operations));
    this.#tail = done.catch(() => undefined);
    return done;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#tail;
  }

  /** A copy of everything, in key order: what a restart would find. */
  contents(): readonly (readonly [key: string, value: string])[] {
    return [...this.range("")];
  }

  async #carryOut(number: number, operations: readonly StoreOperation[]): Promise<void> {
    const outcome = this.#fault === null ? "applied" : await this.#fault(number, operations);
    if (outcome !== "lost") for (const operation of operations) this.#apply(operation);
    if (outcome === "applied") return;
    throw retryable("StoreWriteFailed", `write ${number} to the memory store failed: ${outcome}`);
  }

  #apply(operation: StoreOperation): void {
    if ("put" in operation) {
      if (!this.#values.has(operation.put)) this.#added.add(operation.put);
      this.#values.set(operation.put, operation.value);
    } else if (this.#values.delete(operation.remove)) {
      this.#added.delete(operation.remove);
      this.#removed = true;
    }
  }

  /**
   * All keys in order; the work is put off until somebody asks, and then done once for many writes.
   */
  #keys(): readonly string[] {
    if (this.#added.size === 0 && !this.#removed) return this.#sortedKeys;
    // A key that was removed and put again is in both lists.
    const old = this.#sortedKeys.filter((key) => this.#values.has(key) && !this.#added.has(key));
    // Cheap: what is sorted already is taken as it is.
    this.#sortedKeys = [...old, ...this.#added].sort(compareText);
    this.#added = new Set();
    this.#removed = false;
    return this.#sortedKeys;
  }
}

function firstAtOrAfter(keys: readonly string[], wanted: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? "") < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
