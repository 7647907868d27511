/** Tokens that come back with time (SAFETY Z-20). Counts; never sleeps by itself. */
import type { Clock } from "../../ports/clock.ts";

/** What rounding may take from a token that has come back. */
const EPSILON = 1e-6;

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

  /**
   * Milliseconds until a token is there; 0 = now. Whole ones, so that a timer of that length is not
   * too early.
   */
  waitMs(): number {
    if (this.#burst === Number.POSITIVE_INFINITY) return 0;
    const now = this.#clock.monotonicMs();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#filledAtMs) * this.#perMs);
    this.#filledAtMs = now;
    if (this.#tokens >= 1 - EPSILON) return 0;
    return Math.ceil((1 - this.#tokens) / this.#perMs);
  }

  /** Takes a token. Only when `waitMs` is 0. */
  take(): void {
    this.#tokens -= 1;
  }
}
