/** The Clock port over the platform. Intervals never use wall time. */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";

/**
 * `setTimeout` takes at most a signed 32-bit number of milliseconds and fires at once beyond it.
 */
const TIMER_STEP_MS_MAX = 2 ** 31 - 1;

/** Real time. */
export class RealClock implements Clock {
  nowMs(): number {
    return Date.now();
  }

  monotonicMs(): number {
    return performance.now();
  }

  yieldNow(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
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
