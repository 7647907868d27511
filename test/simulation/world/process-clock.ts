/** The time of one process: as everybody's, but none of its timers runs after its death. */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";

/** One for each process. */
export class ProcessClock implements Clock {
  readonly #inner: Clock;
  readonly #timers = new Set<Timer>();
  #dead = false;

  constructor(inner: Clock) {
    this.#inner = inner;
  }

  nowMs(): number {
    return this.#inner.nowMs();
  }

  monotonicMs(): number {
    return this.#inner.monotonicMs();
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    if (this.#dead) return { cancel: () => {} };
    const timer = this.#inner.setTimer(delayMs, () => {
      this.#timers.delete(timer);
      callback();
    });
    this.#timers.add(timer);
    return {
      cancel: () => {
        this.#timers.delete(timer);
        timer.cancel();
      },
    };
  }

  /** Nothing is due any more. */
  die(): void {
    this.#dead = true;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }
}
