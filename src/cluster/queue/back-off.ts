/**
 * Growing delays with jitter. Pure but for the Random port; who waits, and for what, is elsewhere.
 */
import type { Random } from "../../ports/random.ts";

/** The range of the delays. */
export interface BackOffRange {
  /** Least delay, milliseconds. */
  readonly firstMs: number;
  /** Greatest delay, jitter included. */
  readonly maxMs: number;
}

/** Doublings beyond this change nothing for any sane range and would overflow. */
const DOUBLINGS_MAX = 32;
/** The jitter adds up to this share, so that many clients do not return at the same moment. */
const JITTER_SHARE = 0.5;

/** The delay after `failures` failures in a row (≥ 1): doubling, plus jitter, within the range. */
export function backOffMs(range: BackOffRange, failures: number, random: Random): number {
  const doublings = Math.min(Math.max(failures, 1) - 1, DOUBLINGS_MAX);
  const base = range.firstMs * 2 ** doublings;
  return Math.min(range.maxMs, base * (1 + JITTER_SHARE * random.next()));
}

/** Counts failures in a row and says how long to wait. */
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
