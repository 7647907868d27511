/** Time as the program sees it. Only app makes a real one; tests and the simulator turn a virtual one. */

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
  /** Runs `callback` once after at least `delayMs` (≥ 0). Does not keep the process alive by itself in tests. */
  setTimer(delayMs: number, callback: () => void): Timer;
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
