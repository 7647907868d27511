/**
 * DNSEntries that somebody deleted and that the process which made them makes anew: what they
 * wanted stays until then, so that their names answer all the time (Z-30). Memory only.
 */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import { RELEASE_AFTER_MS } from "../../model/release.ts";

/** By `namespace/name`. */
export class AwaitedEntries {
  readonly #clock: Clock;
  readonly #timers = new Map<string, Timer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The entry is gone; calls `onMissed` where it does not come back within an hour (Z-19). */
  awaitAgain(entry: string, onMissed: () => void): void {
    this.seen(entry);
    const missed = (): void => {
      this.#timers.delete(entry);
      // clause: awaited-entry-has-a-limit
      onMissed();
    };
    this.#timers.set(entry, this.#clock.setTimer(RELEASE_AFTER_MS, missed));
  }

  /** It is there. */
  seen(entry: string): void {
    this.#timers.get(entry)?.cancel();
    this.#timers.delete(entry);
  }

  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }
}
