/** A place in the text of an expression. Counts code points, as RE2 does. */

/** Reads code points one by one. */
export class Cursor {
  readonly #points: readonly string[];
  #position = 0;

  constructor(text: string) {
    this.#points = [...text];
  }

  /** True when nothing is left. */
  get atEnd(): boolean {
    return this.#position >= this.#points.length;
  }

  /** For `since` and `back`. */
  get position(): number {
    return this.#position;
  }

  /** The next character without taking it; empty at the end. */
  get next(): string {
    return this.#points[this.#position] ?? "";
  }

  /** Takes the next character; empty at the end. */
  take(): string {
    const taken = this.next;
    this.#position += 1;
    return taken;
  }

  /** Takes `text` if it is next. */
  takeIf(text: string): boolean {
    const wanted = [...text];
    if (wanted.some((each, index) => this.#points[this.#position + index] !== each)) return false;
    this.#position += wanted.length;
    return true;
  }

  /** Takes characters as long as they match. */
  takeWhile(pattern: RegExp): string {
    let taken = "";
    while (!this.atEnd && pattern.test(this.next)) taken += this.take();
    return taken;
  }

  /** The text from an earlier position to here. */
  since(position: number): string {
    return this.#points.slice(position, this.#position).join("");
  }

  /** Goes back to an earlier position. */
  back(position: number): void {
    this.#position = position;
  }
}
