/**
 * Growing delays with jitter: one formula, a counter for a single operation, and a map of counters
 * with due times (docs/architecture.md#retries). These classes neither wait nor set a timer.
 */
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";

/** The range of the delays. */
export interface BackOffRange {
  /** Delay after the first failure, milliseconds, before jitter. */
  readonly firstMs: number;
  /** Greatest delay, milliseconds. */
  readonly maxMs: number;
  /**
   * Where the jitter lies: `above` the delay, within `maxMs` (the default), or `around` it, which
   * may go beyond `maxMs` by a quarter.
   */
  readonly jitter?: "above" | "around";
}

/** Doublings beyond this change nothing for any sane range and would overflow. */
const DOUBLINGS_MAX = 32;
/** Width of the jitter as a share of the delay, so that many clients do not return together. */
const JITTER_SHARE = 0.5;

/** The delay after `failures` failures in a row (≥ 1), without jitter and without the maximum. */
function doubledMs(firstMs: number, failures: number): number {
  return firstMs * 2 ** Math.min(Math.max(failures, 1) - 1, DOUBLINGS_MAX);
}

/** The same within the range, for a single client of its kind, which needs no jitter. */
export function steadyBackOffMs({ firstMs, maxMs }: BackOffRange, failures: number): number {
  return Math.min(maxMs, doubledMs(firstMs, failures));
}

/** The delay after `failures` failures in a row (≥ 1): doubling, plus jitter, within the range. */
export function backOffMs(range: BackOffRange, failures: number, random: Random): number {
  const { firstMs, maxMs, jitter = "above" } = range;
  const delayMs = doubledMs(firstMs, failures);
  const share = JITTER_SHARE * random.next();
  if (jitter === "above") return Math.min(maxMs, delayMs * (1 + share));
  return Math.min(maxMs, delayMs) * (1 - JITTER_SHARE / 2 + share);
}

/** Counts failures in a row of one operation and returns how long to wait. */
export class BackOff {
  readonly #range: BackOffRange;
  readonly #random: Random;
  #failures = 0;

  constructor(range: BackOffRange, random: Random) {
    this.#range = range;
    this.#random = random;
  }

  /** Failures since the last reset. */
  get failures(): number {
    return this.#failures;
  }

  /** Counts a failure; milliseconds to wait. */
  next(): number {
    this.#failures += 1;
    return backOffMs(this.#range, this.#failures, this.#random);
  }

  /** The next delay is the first again. */
  reset(): void {
    this.#failures = 0;
  }
}

/** Failures and due time of one key. */
interface Entry {
  readonly failures: number;
  readonly dueAtMs: number;
  /** Until then the server asked the client to wait. */
  readonly askedMs: number;
}

/**
 * Counts failures by key and returns when each key is due; the jitter is around the delay. Bounded
 * by the keys that fail now.
 */
export class KeyedBackOff {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #range: BackOffRange;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock, random: Random, range: Omit<BackOffRange, "jitter">) {
    this.#clock = clock;
    this.#random = random;
    this.#range = { ...range, jitter: "around" };
  }

  /**
   * Counts a failure; the key is due after the next delay, or after `atLeastMs` if that is longer.
   */
  failed(key: string, atLeastMs = 0): void {
    const failures = this.failures(key) + 1;
    const delayMs = Math.max(atLeastMs, backOffMs(this.#range, failures, this.#random));
    const nowMs = this.#clock.monotonicMs();
    this.#entries.set(key, { failures, dueAtMs: nowMs + delayMs, askedMs: nowMs + atLeastMs });
  }

  /** The key is due in `ms`, which is no failure. */
  postpone(key: string, ms: number): void {
    const atMs = this.#clock.monotonicMs() + ms;
    this.#entries.set(key, { failures: this.failures(key), dueAtMs: atMs, askedMs: atMs });
  }

  /**
   * Forgets the failures of a key whose input changed; a wait that the server asked for still
   * counts (S20).
   */
  excuse(key: string): void {
    const askedMs = this.#entries.get(key)?.askedMs ?? 0;
    if (askedMs <= this.#clock.monotonicMs()) this.#entries.delete(key);
    else this.#entries.set(key, { failures: 0, dueAtMs: askedMs, askedMs });
  }

  /** Forgets the key: it succeeded. */
  clear(key: string): void {
    this.#entries.delete(key);
  }

  /** Failures in a row. */
  failures(key: string): number {
    return this.#entries.get(key)?.failures ?? 0;
  }

  /** Milliseconds until the key may be tried; 0 = now. */
  waitMs(key: string): number {
    const entry = this.#entries.get(key);
    return entry === undefined ? 0 : Math.max(0, entry.dueAtMs - this.#clock.monotonicMs());
  }
}
