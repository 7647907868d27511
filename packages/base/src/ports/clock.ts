/**
 * Time as the program sees it. Only app makes a real one; tests and the simulator turn a virtual
 * one.
 */

/** A pending timer. */
export interface Timer {
  /** Idempotent; the callback will not run afterwards. */
  cancel(): void;
}

/** Wall time, monotonic time and timers. */
export interface Clock {
  /** Unix milliseconds; may jump. For timestamps and TSIG only, never for intervals. */
  nowMs(): number;
  /** Milliseconds since some start; never goes back. For intervals, leases and back-off. */
  monotonicMs(): number;
  /**
   * Runs `callback` once after at least `delayMs` (≥ 0). Does not keep the process alive by itself
   * in tests.
   */
  setTimer(delayMs: number, callback: () => void): Timer;
  /**
   * Resolves when everybody else who waits had a turn: I/O, timers. Absent on a
   * simulated clock, whose time stands still while code runs.
   */
  yieldNow?(): Promise<void>;
}

/** Longest that one piece of work keeps others waiting, in milliseconds. */
const SLICE_MS = 10;

/**
 * Cuts long work into slices, between which I/O and timers have a turn: `if (slices.isOver) await
 * slices.next()` at the head of a loop. On a simulated clock nothing is cut, so that tests and the
 * simulator stay deterministic.
 */
export class Slices {
  readonly #clock: Clock;
  #beganAtMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#beganAtMs = clock.monotonicMs();
  }

  /** True when the present slice has taken long enough. */
  get isOver(): boolean {
    return this.#clock.monotonicMs() - this.#beganAtMs >= SLICE_MS;
  }

  /** Lets the others have their turn and begins another slice. */
  async next(): Promise<void> {
    await this.#clock.yieldNow?.();
    this.#beganAtMs = this.#clock.monotonicMs();
  }
}

/** Resolves after `delayMs`; resolves early (never rejects) when `signal` aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const finish = (): void => {
      timer.cancel();
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const timer = clock.setTimer(delayMs, finish);
    signal?.addEventListener("abort", finish, { once: true });
  });
}
