/**
 * A Clock that tests and the simulator turn by hand. Time moves only in `advance` and `jumpWallMs`;
 * between two timers all promise reactions run, so that a whole program of promises is
 * deterministic. It must not touch real time.
 */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";

interface PendingTimer {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/**
 * How many turns of the event loop one `settle` gives; enough for streams that hop through
 * setImmediate.
 */
const SETTLE_TURNS = 3;

/**
 * Deterministic time. Timers that are due at the same time run in the order in which they were set.
 */
export class VirtualClock implements Clock {
  #wallMs: number;
  #monotonicMs = 0;
  #order = 0;
  readonly #timers = new Set<PendingTimer>();

  /** `wallMs` = the first `nowMs()`; default 2026-01-01T00:00:00Z. */
  constructor(wallMs: number = Date.UTC(2026, 0, 1)) {
    this.#wallMs = wallMs;
  }

  nowMs(): number {
    return this.#wallMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    const timer = {
      dueMs: this.#monotonicMs + Math.max(0, delayMs),
      order: this.#order++,
      callback,
    };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  /** Timers that have not run yet. A test that ends with 0 leaks none. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer; null = there is none. */
  get nextTimerMs(): number | null {
    const next = this.#next();
    return next === null ? null : next.dueMs - this.#monotonicMs;
  }

  /** Moves wall time alone, as an operator or NTP does. */
  jumpWallMs(byMs: number): void {
    this.#wallMs += byMs;
  }

  /** Runs promise reactions until nothing is left to do without time. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < SETTLE_TURNS; turn++) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  /** Moves time by `byMs` (≥ 0), timer by timer, settling before the first and after each. */
  async advance(byMs: number): Promise<void> {
    const endMs = this.#monotonicMs + byMs;
    await this.settle();
    for (let next = this.#next(); next !== null && next.dueMs <= endMs; next = this.#next()) {
      this.#moveTo(next.dueMs);
      this.#timers.delete(next);
      next.callback();
      await this.settle();
    }
    this.#moveTo(endMs);
  }

  /**
   * Advances timer by timer until `done()`; throws after `limitMs` of virtual time or when no timer
   * is left.
   */
  async advanceUntil(done: () => boolean, limitMs = 3_600_000): Promise<void> {
    const endMs = this.#monotonicMs + limitMs;
    await this.settle();
    while (!done()) {
      const next = this.#next();
      if (next === null) throw new Error("nothing is left to wait for");
      if (next.dueMs > endMs) throw new Error(`not done after ${limitMs} ms of virtual time`);
      await this.advance(next.dueMs - this.#monotonicMs);
    }
  }

  /**
   * Stops time for `byMs` as a paused process sees it: time is over, and only then do the timers
   * run.
   */
  async pause(byMs: number): Promise<void> {
    await this.settle();
    this.#moveTo(this.#monotonicMs + byMs);
    await this.advance(0);
  }

  #moveTo(monotonicMs: number): void {
    if (monotonicMs <= this.#monotonicMs) return;
    this.#wallMs += monotonicMs - this.#monotonicMs;
    this.#monotonicMs = monotonicMs;
  }

  #next(): PendingTimer | null {
    let first: PendingTimer | null = null;
    for (const timer of this.#timers) {
      if (first === null || timer.dueMs < first.dueMs) first = timer;
    }
    return first;
  }
}
