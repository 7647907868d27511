/**
 * Cuts a byte stream into lines at 0x0A and decodes one line at a time. The length of a line is
 * limited.
 */
import { joinedBytes } from "@zonekeeper/base/bytes";
import { retryable } from "@zonekeeper/base/operation-error";

/**
 * One object of a Kubernetes API is at most about 3 MiB as JSON; more is not an answer of an API
 * server.
 */
export const LINE_BYTES_MAX = 16 * 1024 * 1024;

const NEWLINE = 0x0a;

/** Splits chunks of any size; multi-byte characters may be cut anywhere. */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  readonly #bytesMax: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(bytesMax: number = LINE_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes of the line that has not ended yet. */
  get pendingBytes(): number {
    return this.#bytes;
  }

  /**
   * The lines that end in this chunk, without their newline, in order. Throws OperationError when
   * one is too long.
   */
  *push(chunk: Uint8Array): Generator<string, void, void> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      this.#take(chunk.subarray(start, end));
      yield this.#line();
      start = end + 1;
    }
    // A copy: the platform may use the chunk's memory again, and the start of a line must not keep
    // a large chunk in memory.
    if (start < chunk.length) this.#take(chunk.slice(start));
  }

  #take(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#bytesMax) {
      throw retryable("Unavailable", `a line of the watch is longer than ${this.#bytesMax} bytes`);
    }
    this.#pieces.push(piece);
  }

  #line(): string {
    const [only] = this.#pieces;
    const bytes =
      this.#pieces.length === 1 && only !== undefined ? only : joinedBytes(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    return this.#decoder.decode(bytes);
  }
}
