/**
 * One timer for all names that wait for an address: it fires when one becomes dangling or its grace
 * ends (Z-4).
 */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { AddressWaits } from "./address-waits.ts";

/** Set by the engine; holds at most one timer. */
export class AddressAlarm {
  readonly #clock: Clock;
  readonly #waits: AddressWaits;
  readonly #ring: () => void;
  #timer: Timer | null = null;
  /** Monotonic milliseconds at which the timer fires. */
  #dueMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, waits: AddressWaits, ring: () => void) {
    this.#clock = clock;
    this.#waits = waits;
    this.#ring = ring;
  }

  /** A name begins to wait now: it is due after the shorter of both spans. Cheap. */
  begun(): void {
    const firstMs = this.#waits.firstSpanMs;
    if (this.#clock.monotonicMs() + firstMs < this.#dueMs) this.#set(firstMs);
  }

  /** Stops the timer for good. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  #set(inMs: number): void {
    this.#timer?.cancel();
    this.#dueMs = this.#clock.monotonicMs() + inMs;
    this.#timer = this.#clock.setTimer(inMs, () => this.#fired());
  }

  #fired(): void {
    this.#dueMs = Number.POSITIVE_INFINITY;
    const next = this.#waits.nextInMs();
    if (next !== null) this.#set(next);
    this.#ring();
  }
}
