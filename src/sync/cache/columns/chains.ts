/**
 * Rows of a table by a key that is a small number: the first row for each key, the others linked by
 * one column.
 */
import { NO_ROW, type RowTable } from "./row-table.ts";

const FIRST_KEYS = 1 << 8;

/**
 * One way to find rows. A row is in at most one chain of one `Chains`; its order there is that of
 * adding, last first.
 */
export class Chains {
  readonly #rows: RowTable;
  readonly #next: number;
  #heads = new Int32Array(FIRST_KEYS).fill(NO_ROW);

  /** `next`: the column of `rows` that this one keeps its links in. */
  constructor(rows: RowTable, next: number) {
    this.#rows = rows;
    this.#next = next;
  }

  /** Keys with rows are below this. */
  get keysEnd(): number {
    return this.#heads.length;
  }

  /** The first row of a key, or NO_ROW. */
  first(key: number): number {
    return this.#heads[key] ?? NO_ROW;
  }

  /** The row after this one, or NO_ROW. */
  next(row: number): number {
    return this.#rows.get(row, this.#next);
  }

  /** Puts the row first. */
  add(key: number, row: number): void {
    if (key >= this.#heads.length) this.#grow(key);
    this.#rows.set(row, this.#next, this.first(key));
    this.#heads[key] = row;
  }

  /** Takes the row out of the key's chain. True if it was the last one. */
  remove(key: number, row: number): boolean {
    const after = this.next(row);
    let at = this.first(key);
    if (at === row) {
      this.#heads[key] = after;
      return after === NO_ROW;
    }
    while (at !== NO_ROW && this.next(at) !== row) at = this.next(at);
    if (at !== NO_ROW) this.#rows.set(at, this.#next, after);
    return false;
  }

  /** All rows of a key. The chain may be changed while the list is walked. */
  of(key: number): readonly number[] {
    const rows: number[] = [];
    for (let row = this.first(key); row !== NO_ROW; row = this.next(row)) rows.push(row);
    return rows;
  }

  #grow(key: number): void {
    const heads = new Int32Array(Math.max(key + 1, Math.ceil(this.#heads.length * 1.5)));
    heads.fill(NO_ROW, this.#heads.length);
    heads.set(this.#heads);
    this.#heads = heads;
  }
}
