/** Lets one loop sleep until a given time or until the signal is raised. For one sleeper only. */
import type { Clock } from "@zonekeeper/base/ports/clock";

/** A wake-up call that is not lost when nobody sleeps. */
export class Signal {
  readonly #clock: Clock;
  #raised = false;
  #resolve: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ends the present or the next `wait`. */
  raise(): void {
    this.#raised = true;
    this.#resolve?.();
  }

  /** Resolves after `delayMs` (null = never by itself), or as soon as the signal is raised. */
  async wait(delayMs: number | null): Promise<void> {
    if (!this.#raised) {
      await new Promise<void>((resolve) => {
        const timer = delayMs === null ? null : this.#clock.setTimer(delayMs, resolve);
        this.#resolve = () => {
          timer?.cancel();
          resolve();
        };
      });
    }
    this.#resolve = null;
    this.#raised = false;
  }
}
