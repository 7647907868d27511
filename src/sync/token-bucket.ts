/** An account's call budget, shared by its zones (SAFETY Z-20). Counts; never sleeps by itself. */
import type { Clock } from "../ports/clock.ts";

/** A token bucket on monotonic time. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #burst: number;
  readonly #perMs: number;
  #tokens: number;
  #filledAtMs: number;

  /** `rate` null = unlimited. */
  constructor(clock: Clock, rate: { readonly burst: number; readonly perSecond: number } | null) {
    this.#clock = clock;
    this.#burst = rate?.burst ?? Number.POSITIVE_INFINITY;
    this.#perMs = (rate?.perSecond ?? Number.POSITIVE_INFINITY) / 1000;
    this.#tokens = this.#burst;
    this.#filledAtMs = clock.monotonicMs();
  }

  /** Takes a token and answers 0, or takes none and answers the milliseconds until one is there. */
  take(): number {
    if (this.#burst === Number.POSITIVE_INFINITY) return 0;
    const now = this.#clock.monotonicMs();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#filledAtMs) * this.#perMs);
    this.#filledAtMs = now;
    if (this.#tokens < 1) return (1 - this.#tokens) / this.#perMs;
    this.#tokens -= 1;
    return 0;
  }
}
