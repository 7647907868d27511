/**
 * A byte stream that a test pushes into; one reader. Ends early, with an error, when its signal
 * aborts.
 */

/** An endless body until `end` is called. */
export class PushStream implements AsyncIterable<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  #ended = false;
  #error: Error | null = null;
  #wake: (() => void) | null = null;

  constructor(signal?: AbortSignal) {
    signal?.addEventListener("abort", () => this.end(new Error("aborted")), { once: true });
  }

  /** Text is encoded as UTF-8. Ignored after the end. */
  push(chunk: string | Uint8Array): void {
    if (this.#ended) return;
    this.#chunks.push(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
    this.#wake?.();
  }

  /** Ends the stream after what was pushed, with an error if one is given. Idempotent. */
  end(error?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error ?? null;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) yield chunk;
      else if (this.#error !== null) throw this.#error;
      else if (this.#ended) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
