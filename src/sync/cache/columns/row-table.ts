/**
 * Rows of whole numbers in typed arrays: no object for a row, and no work for the garbage
 * collector. Knows nothing of the meaning of cells.
 */
import { invariant } from "@zonekeeper/base/invariant";

/** No row. */
export const NO_ROW = -1;

/** Rows of one table. */
const ROWS_MAX = 1 << 26;
/**
 * Rows of one array, as a power of two; only the first one grows by copying, so that a small zone
 * costs little.
 */
const CHUNK_BITS = 12;
const CHUNK_ROWS = 1 << CHUNK_BITS;
const IN_CHUNK = CHUNK_ROWS - 1;
const FIRST_ROWS = 16;
const NO_CELLS = new Int32Array(0);

/** Rows of equal width with 32-bit signed cells. A row that is removed is used again. */
export class RowTable {
  readonly #width: number;
  readonly #chunks: Int32Array[] = [];
  #end = 0;
  #free = NO_ROW;
  #live = 0;

  /** `width`: cells in a row, at least 1. */
  constructor(width: number) {
    this.#width = width;
  }

  /** Rows in use. */
  get live(): number {
    return this.#live;
  }

  /** A row whose cells are the given ones, then zeros. */
  add(cells: readonly number[]): number {
    const row = this.#newRow();
    this.#live += 1;
    for (let column = 0; column < this.#width; column++) this.set(row, column, cells[column] ?? 0);
    return row;
  }

  /** Gives the row back. Nothing may point at it any more. */
  remove(row: number): void {
    this.set(row, 0, this.#free);
    this.#free = row;
    this.#live -= 1;
  }

  /** A cell of a row in use. */
  get(row: number, column: number): number {
    return this.#chunks[row >> CHUNK_BITS]?.[(row & IN_CHUNK) * this.#width + column] ?? 0;
  }

  /**
   * The array that a row in use lies in, from `offsetOf(row)` on; good until rows are added or
   * removed.
   */
  cellsOf(row: number): Int32Array {
    return this.#chunks[row >> CHUNK_BITS] ?? NO_CELLS;
  }

  /** Where the row's first cell lies in `cellsOf(row)`. */
  offsetOf(row: number): number {
    return (row & IN_CHUNK) * this.#width;
  }

  /** Writes a cell: a whole number, -2^31 to 2^31-1. */
  set(row: number, column: number, value: number): void {
    const chunk = this.#chunks[row >> CHUNK_BITS];
    if (chunk !== undefined) chunk[(row & IN_CHUNK) * this.#width + column] = value;
  }

  #newRow(): number {
    if (this.#free !== NO_ROW) {
      const row = this.#free;
      this.#free = this.get(row, 0);
      return row;
    }
    invariant(this.#end < ROWS_MAX, "a table has fewer than 2^26 rows");
    const first = this.#chunks[0];
    if (first === undefined) this.#chunks.push(new Int32Array(FIRST_ROWS * this.#width));
    else if (this.#end * this.#width === first.length && this.#end < CHUNK_ROWS) {
      const twice = new Int32Array(first.length * 2);
      twice.set(first);
      this.#chunks[0] = twice;
    } else if (this.#end % CHUNK_ROWS === 0)
      this.#chunks.push(new Int32Array(CHUNK_ROWS * this.#width));
    this.#end += 1;
    return this.#end - 1;
  }
}

/**
 * Reads the cells of one row after the other, each row looked up once. Good until rows are added or
 * removed.
 */
export class RowReader {
  readonly #rows: RowTable;
  #cells: Int32Array = NO_CELLS;
  #start = 0;

  constructor(rows: RowTable) {
    this.#rows = rows;
  }

  /** Goes to a row in use. */
  go(row: number): void {
    this.#cells = this.#rows.cellsOf(row);
    this.#start = this.#rows.offsetOf(row);
  }

  /** A cell of the row. */
  at(column: number): number {
    return this.#cells[this.#start + column] ?? 0;
  }
}
