/**
 * Paces the writes of each entry's status, so that two writers that disagree about it (two
 * installations with one owner id, both watching one cluster) do not overwrite each other as
 * fast as the API server can. Counts; never sleeps by itself.
 */
import type { Clock } from "../../ports/clock.ts";

/** Writes of one status in a row; an edit takes about four. */
export const STATUS_BURST = 16;
/** Milliseconds after which one more is allowed. */
export const STATUS_EVERY_MS = 15_000;
/** Entries that are remembered; the one written longest ago is forgotten first. */
export const PACED_MAX = 10_000;

interface Spent {
  /** Writes that count still, as of `atMs`; at least 0. */
  readonly writes: number;
  /** Monotonic milliseconds. */
  readonly atMs: number;
}

/** Of one process; by `namespace/name`. */
export class StatusPace {
  readonly #clock: Clock;
  readonly #spent = new Map<string, Spent>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until the status may be written; 0 = now. */
  waitMs(key: string): number {
    const over = this.#writesOf(key) - (STATUS_BURST - 1);
    return over <= 0 ? 0 : Math.ceil(over * STATUS_EVERY_MS);
  }

  /** Counts a write of the status, also one that did not have to wait. */
  wrote(key: string): void {
    const writes = Math.min(this.#writesOf(key) + 1, STATUS_BURST);
    this.#spent.delete(key);
    this.#spent.set(key, { writes, atMs: this.#clock.monotonicMs() });
    if (this.#spent.size <= PACED_MAX) return;
    const [oldest] = this.#spent.keys();
    if (oldest !== undefined) this.#spent.delete(oldest);
  }

  #writesOf(key: string): number {
    const spent = this.#spent.get(key);
    if (spent === undefined) return 0;
    const ageMs = this.#clock.monotonicMs() - spent.atMs;
    return Math.max(0, spent.writes - ageMs / STATUS_EVERY_MS);
  }
}
