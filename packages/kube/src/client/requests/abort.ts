/**
 * Deadlines on a Clock, and promises that end when a signal aborts. One listener for each use,
 * removed afterwards; `AbortSignal.any` is not used because it leaks on long-lived signals.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";

/** A signal that aborts when an outer signal aborts or when time is up. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #outer: AbortSignal | null;
  #timer: ReturnType<Clock["setTimer"]> | null = null;
  #firesAtMs = 0;
  #dueAtMs = 0;
  #reason: () => Error = () => new Error("time is up");
  readonly #onOuter = (): void => this.abort(this.#outer?.reason);

  constructor(clock: Clock, outer?: AbortSignal) {
    this.#clock = clock;
    this.#outer = outer ?? null;
    if (outer?.aborted === true) this.#controller.abort(outer.reason);
    else outer?.addEventListener("abort", this.#onOuter, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Aborts after `delayMs` from now unless it is extended again; replaces the earlier deadline.
   * `reason` is made only when time is up: an Error for each request and chunk would cost more than
   * the deadline.
   */
  extend(delayMs: number, reason: () => Error): void {
    this.#reason = reason;
    this.#dueAtMs = this.#clock.monotonicMs() + delayMs;
    // A timer that fires too early is set again: a watch extends with each chunk, and a new timer
    // each time would cost more.
    if (this.#timer === null || this.#firesAtMs > this.#dueAtMs) this.#arm(delayMs);
  }

  #arm(delayMs: number): void {
    this.#timer?.cancel();
    this.#firesAtMs = this.#clock.monotonicMs() + delayMs;
    this.#timer = this.#clock.setTimer(delayMs, () => {
      const leftMs = this.#dueAtMs - this.#clock.monotonicMs();
      if (leftMs > 0) this.#arm(leftMs);
      else this.abort(this.#reason());
    });
  }

  /** Aborts now. Idempotent. */
  abort(reason: unknown): void {
    this.release();
    this.#controller.abort(reason);
  }

  /** Stops listening and waiting; the signal stays as it is. Call it when the work is over. */
  release(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#outer?.removeEventListener("abort", this.#onOuter);
  }
}

/**
 * The promise's result, or a rejection with the signal's reason as soon as it aborts. A later
 * result is dropped.
 */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void =>
      reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
    const finish = (): void => signal.removeEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    promise.then(
      (value) => {
        finish();
        resolve(value);
      },
      (error: unknown) => {
        finish();
        reject(error);
      },
    );
  });
}

/**
 * The chunks of a body until it ends or the signal aborts (then it throws the reason). The close of
 * an unfinished body is requested but not awaited, because the body may hang.
 */
export async function* chunksOf(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const iterator = body[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const next = await orAborted(iterator.next(), signal);
      if (next.done === true) {
        ended = true;
        return;
      }
      yield next.value;
    }
  } finally {
    if (!ended) void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
