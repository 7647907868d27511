/**
 * Delays for what keeps failing, one by one: exponential, with jitter and a bound (DESIGN §5.6).
 */
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";

/** Milliseconds. */
export interface BackoffLimits {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** Attempts and due times by key. Its size is bounded by the keys that fail now. */
export class Backoff {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #limits: BackoffLimits;
  /** `askedMs` = until when the provider asked for patience. */
  readonly #entries = new Map<string, { attempts: number; dueAtMs: number; askedMs: number }>();

  constructor(clock: Clock, random: Random, limits: BackoffLimits) {
    this.#clock = clock;
    this.#random = random;
    this.#limits = limits;
  }

  /**
   * Notes a failure; the key is due after the next delay, or after `atLeastMs` if that is longer.
   */
  failed(key: string, atLeastMs = 0): void {
    const attempts = (this.#entries.get(key)?.attempts ?? 0) + 1;
    const full = Math.min(
      this.#limits.mostMs,
      this.#limits.firstMs * 2 ** Math.min(attempts - 1, 30),
    );
    const delay = Math.max(atLeastMs, full * (0.75 + this.#random.next() * 0.5));
    const nowMs = this.#clock.monotonicMs();
    this.#entries.set(key, { attempts, dueAtMs: nowMs + delay, askedMs: nowMs + atLeastMs });
  }

  /**
   * The key's input changed: its failures count no more, but what the provider asked for does
   * (S20).
   */
  excuse(key: string): void {
    const askedMs = this.#entries.get(key)?.askedMs ?? 0;
    if (askedMs <= this.#clock.monotonicMs()) this.#entries.delete(key);
    else this.#entries.set(key, { attempts: 0, dueAtMs: askedMs, askedMs });
  }

  /** Forgets the key: it succeeded. */
  clear(key: string): void {
    this.#entries.delete(key);
  }

  /** Failures in a row. */
  attempts(key: string): number {
    return this.#entries.get(key)?.attempts ?? 0;
  }

  /** Milliseconds until the key may be tried; 0 = now. */
  waitMs(key: string): number {
    const entry = this.#entries.get(key);
    return entry === undefined ? 0 : Math.max(0, entry.dueAtMs - this.#clock.monotonicMs());
  }
}
