/**
 * Objects whose zones have not reported yet. Their status says so (`Pending`) only after ten
 * seconds: most are published sooner, which saves a write for each. One timer serves all objects.
 */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";

/** Milliseconds after which an object that is not done yet says so. */
const PENDING_AFTER_MS = 10_000;

/** For the objects of one controller. */
export class PendingWaits {
  readonly #clock: Clock;
  readonly #again: (key: string) => void;
  /** Since when each object waits, monotonic milliseconds; the oldest first. */
  readonly #sinceMs = new Map<string, number>();
  /** Objects that wait and for which `again` was not called yet; the oldest first. */
  readonly #uncalled = new Set<string>();
  #timer: Timer | null = null;

  constructor(clock: Clock, again: (key: string) => void) {
    this.#clock = clock;
    this.#again = again;
  }

  /** The object waits; milliseconds that are left, 0 = it has waited long enough. */
  waitMs(key: string): number {
    if (!this.#sinceMs.has(key)) {
      this.#sinceMs.set(key, this.#clock.monotonicMs());
      this.#uncalled.add(key);
      this.#timer ??= this.#clock.setTimer(PENDING_AFTER_MS, () => this.#callDue());
    }
    return this.#leftMs(key);
  }

  /** The object waits no more. */
  ended(key: string): void {
    this.#sinceMs.delete(key);
    this.#uncalled.delete(key);
  }

  /** Calls nobody any more. */
  stop(): void {
    this.#timer?.cancel();
    this.#uncalled.clear();
  }

  #callDue(): void {
    this.#timer = null;
    for (const key of this.#uncalled) {
      const leftMs = this.#leftMs(key);
      if (leftMs > 0) {
        this.#timer = this.#clock.setTimer(leftMs, () => this.#callDue());
        return;
      }
      this.#uncalled.delete(key);
      this.#again(key);
    }
  }

  #leftMs(key: string): number {
    const sinceMs = this.#sinceMs.get(key) ?? Number.NEGATIVE_INFINITY;
    return Math.max(0, sinceMs + PENDING_AFTER_MS - this.#clock.monotonicMs());
  }
}
