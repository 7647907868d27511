/**
 * A rate limit: a number of tokens per second, with bursts (Z-20). Callers are served in the order
 * of their reservations. For the calls of a provider account and for writes to the API server.
 */
import { type Clock, sleep } from "../ports/clock.ts";

/** The limit. */
export interface Rate {
  /** Tokens that come back per second, > 0. */
  readonly perSecond: number;
  /** Tokens that may be taken at once after an idle time, ≥ 1. */
  readonly burst: number;
}

/** Greatest rounding error of a refilled token. */
const EPSILON = 1e-6;

/** A token bucket on monotonic time. Callers are served in the order in which they asked. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #burst: number;
  readonly #perMs: number;
  /** Below zero = reserved in advance by callers that wait. */
  #tokens: number;
  #filledAtMs: number;

  /** `rate` null = unlimited. */
  constructor(clock: Clock, rate: Rate | null) {
    this.#clock = clock;
    this.#burst = rate?.burst ?? Number.POSITIVE_INFINITY;
    this.#perMs = (rate?.perSecond ?? Number.POSITIVE_INFINITY) / 1000;
    this.#tokens = this.#burst;
    this.#filledAtMs = clock.monotonicMs();
  }

  /**
   * Milliseconds until so many tokens are available; 0 = now. More than the burst are available
   * when the bucket is full. Rounded up, so that a timer of that length is not too early. Takes no
   * token.
   */
  waitMs(tokens = 1): number {
    this.#fill();
    const wanted = Math.min(tokens, this.#burst);
    if (this.#tokens >= wanted - EPSILON) return 0;
    return Math.ceil((wanted - this.#tokens) / this.#perMs);
  }

  /** Share of the burst that is taken now, 0 to 1; 1 = the next caller waits. 0 = unlimited. */
  usedRatio(): number {
    this.#fill();
    if (this.#burst === Number.POSITIVE_INFINITY) return 0;
    return 1 - Math.max(0, this.#tokens) / this.#burst;
  }

  /** Takes tokens, in advance if there are none; milliseconds until they may be used. */
  reserve(tokens = 1): number {
    this.#fill();
    this.#tokens -= tokens;
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#perMs;
  }

  /** Takes tokens and resolves when they may be used; early when the signal aborts. */
  async take(signal?: AbortSignal, count = 1): Promise<void> {
    const waitMs = this.reserve(count);
    if (waitMs > 0) await sleep(this.#clock, waitMs, signal);
  }

  #fill(): void {
    if (this.#burst === Number.POSITIVE_INFINITY) return;
    const nowMs = this.#clock.monotonicMs();
    const gained = (nowMs - this.#filledAtMs) * this.#perMs;
    this.#tokens = Math.min(this.#burst, this.#tokens + gained);
    this.#filledAtMs = nowMs;
  }
}
