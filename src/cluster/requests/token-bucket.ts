/** A rate limit: so many per second with bursts. Whoever asks first goes first. */
import { type Clock, sleep } from "../../ports/clock.ts";

/** The limit. */
export interface Rate {
  /** Tokens that come back per second, > 0. */
  readonly perSecond: number;
  /** Tokens that may be taken at once after a rest, ≥ 1. */
  readonly burst: number;
}

/** Safe for concurrent use; callers are served in the order in which they asked. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #rate: Rate;
  /** Below zero = taken in advance by those who wait. */
  #tokens: number;
  #filledAtMs: number;

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#filledAtMs = clock.monotonicMs();
  }

  /** Takes a token; milliseconds until it may be used. */
  reserve(): number {
    const nowMs = this.#clock.monotonicMs();
    const gained = ((nowMs - this.#filledAtMs) * this.#rate.perSecond) / 1_000;
    this.#filledAtMs = nowMs;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + gained) - 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens * 1_000) / this.#rate.perSecond;
  }

  /** Resolves when a token may be used; early when the signal aborts. */
  async take(signal?: AbortSignal): Promise<void> {
    const waitMs = this.reserve();
    if (waitMs > 0) await sleep(this.#clock, waitMs, signal);
  }
}
