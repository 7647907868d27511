/** Rows of whole numbers in one typed array: no object for a row, nothing to collect. Knows nothing of what they mean. */
import { invariant } from "../../model/invariant.ts";

/** No row. */
export const NO_ROW = -1;

/** Rows of one table; 2^26 rows of 16 cells are 4 GB. */
const ROWS_MAX = 1 << 26;
const FIRST_ROWS = 1 << 8;

/** Rows of equal width with 32-bit signed cells. A row that is removed is used again. */
export class RowTable {
  readonly #width: number;
  #cells: Int32Array;
  #end = 0;
  #free = NO_ROW;
  #live = 0;

  /** `width`: cells in a row, at least 1. */
  constructor(width: number) {
    this.#width = width;
    this.#cells = new Int32Array(FIRST_ROWS * width);
  }

  /** Rows in use. */
  get live(): number {
    return this.#live;
  }

  /** A row whose cells are the given ones, then zeros. */
  add(cells: readonly number[]): number {
    const row = this.#newRow();
    this.#live += 1;
    const start = row * this.#width;
    for (let column = 0; column < this.#width; column++)
      this.#cells[start + column] = cells[column] ?? 0;
    return row;
  }

  /** Gives the row back. Nothing may point at it any more. */
  remove(row: number): void {
    this.#cells[row * this.#width] = this.#free;
    this.#free = row;
    this.#live -= 1;
  }

  /** A cell of a row in use. */
  get(row: number, column: number): number {
    return this.#cells[row * this.#width + column] ?? 0;
  }

  /** Writes a cell: a whole number, -2^31 to 2^31-1. */
  set(row: number, column: number, value: number): void {
    this.#cells[row * this.#width + column] = value;
  }

  #newRow(): number {
    if (this.#free !== NO_ROW) {
      const row = this.#free;
      this.#free = this.#cells[row * this.#width] ?? NO_ROW;
      return row;
    }
    if ((this.#end + 1) * this.#width > this.#cells.length) this.#grow();
    this.#end += 1;
    return this.#end - 1;
  }

  #grow(): void {
    invariant(this.#end < ROWS_MAX, "a table has fewer than 2^26 rows");
    const cells = new Int32Array(Math.ceil(this.#cells.length * 1.5));
    cells.set(this.#cells);
    this.#cells = cells;
  }
}
