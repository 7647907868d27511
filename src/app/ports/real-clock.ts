/** The Clock port over the platform. Intervals never use wall time. */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";

/**
 * `setTimeout` takes at most a signed 32-bit number of milliseconds and fires at once beyond it.
 */
const TIMER_STEP_MS_MAX = 2 ** 31 - 1;

/** Real time. */
export class RealClock implements Clock {
  readonly #yielding: (() => void)[] = [];

  nowMs(): number {
    return Date.now();
  }

  monotonicMs(): number {
    return performance.now();
  }

  /**
   * I/O has a turn after each of those that yield: a slice each, one after the other, would keep it
   * away for seconds where hundreds do.
   */
  yieldNow(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#yielding.push(resolve) === 1) setImmediate(() => this.#resume());
    });
  }

  #resume(): void {
    this.#yielding.shift()?.();
    if (this.#yielding.length > 0) setImmediate(() => this.#resume());
  }

  /** Delays beyond 24 days are waited for in steps. */
  setTimer(delayMs: number, callback: () => void): Timer {
    let handle: NodeJS.Timeout;
    const arm = (leftMs: number): void => {
      const stepMs = Math.min(leftMs, TIMER_STEP_MS_MAX);
      handle = setTimeout(() => (leftMs > stepMs ? arm(leftMs - stepMs) : callback()), stepMs);
    };
    arm(Math.max(0, delayMs));
    return { cancel: () => clearTimeout(handle) };
  }
}
