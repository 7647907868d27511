/**
 * Keys that wait for work, after client-go's contract: a key waits at most once and is never worked
 * on twice at the same time. A key that is added while it is worked on runs once more. It knows
 * nothing about the work itself.
 */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { Random } from "@zonekeeper/base/ports/random";
import { type BackOffRange, backOffMs } from "@zonekeeper/base/timing/back-off";
import { DelayHeap } from "./delay-heap.ts";

/**
 * `edit`: a user waits for it. `bulk`: first lists, resyncs and repeats; edits overtake it.
 * `report`: it only shows something, such as a status; both overtake it.
 */
export type Lane = "edit" | "bulk" | "report";

/** What a queue works with. */
export interface WorkQueueOptions {
  /** Label of the `workqueue_*` metrics. */
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  /** Delays of `addRateLimited`; default 1 s to 10 min. */
  readonly backOff?: BackOffRange;
}

/** How to stop. `drain`: keys that wait are still worked on, delayed ones are not. */
export interface ShutDownOptions {
  readonly drain: boolean;
}

const BACK_OFF: BackOffRange = { firstMs: 1_000, maxMs: 600_000 };
/** In the order in which they are served. */
const LANES: readonly Lane[] = ["edit", "bulk", "report"];
/** Each n-th key is of that lane, so that a stream of edits cannot starve the others. */
const BULK_SHARE = 8;
const REPORT_SHARE = 64;

interface Waiting {
  lane: Lane;
  readonly sinceMs: number;
}

/** A queue of keys. All methods but `take` and `shutDown` are synchronous; none throws. */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Map<string, Waiting>();
  /** Keys that are worked on, with the monotonic milliseconds of their start. */
  readonly #processing = new Map<string, number>();
  /** A key may be in a lane in which it does not wait any more; it is skipped there. */
  readonly #lanes: Readonly<Record<Lane, Fifo<string>>> = {
    edit: new Fifo(),
    bulk: new Fifo(),
    report: new Fifo(),
  };
  readonly #takers = new Fifo<(key: string | null) => void>();
  readonly #delayed = new DelayHeap();
  readonly #failures = new Map<string, number>();
  readonly #onEmpty: (() => void)[] = [];
  readonly #unmeasure: () => void;
  #timer: { readonly dueMs: number; readonly handle: Timer } | null = null;
  #stopping = false;
  #taken = 0;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#unmeasure = options.metrics.beforeScrape(() => this.#measure());
  }

  /** Keys that wait now; delayed ones are not counted. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** True when nothing waits, is delayed or is worked on. */
  get isIdle(): boolean {
    return this.#waiting.size + this.#delayed.size + this.#processing.size === 0;
  }

  /** Adds a key. One that waits already stays where it is, or moves to a lane further in front. */
  add(key: string, lane: Lane = "edit"): void {
    if (this.#stopping) return;
    const known = this.#waiting.get(key);
    if (known !== undefined && LANES.indexOf(known.lane) <= LANES.indexOf(lane)) return;
    const sinceMs = known?.sinceMs ?? this.#nowMs();
    if (known === undefined) this.#count("workqueue_adds_total");
    this.#waiting.set(key, { lane, sinceMs });
    if (!this.#processing.has(key)) this.#offer(key, lane);
  }

  /**
   * Adds a key to the bulk lane after `delayMs`; of several delays the earliest counts. Zero or
   * less = now.
   */
  addAfter(key: string, delayMs: number): void {
    if (this.#stopping) return;
    if (delayMs <= 0) {
      this.add(key, "bulk");
      return;
    }
    this.#delayed.add(key, this.#nowMs() + delayMs);
    this.#armTimer();
  }

  /**
   * Adds a key that failed, after a delay that doubles with each failure since `forget`. The delay
   * in milliseconds.
   */
  addRateLimited(key: string): number {
    const failures = this.failuresOf(key) + 1;
    this.#failures.set(key, failures);
    this.#count("workqueue_retries_total");
    const delayMs = backOffMs(this.#options.backOff ?? BACK_OFF, failures, this.#options.random);
    this.addAfter(key, delayMs);
    return delayMs;
  }

  /** Forgets the failures of a key; delays that run go on. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** Failures since `forget`. */
  failuresOf(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /**
   * The next key, which the caller must give back with `done`; null = the queue is shut down and
   * empty.
   */
  take(): Promise<string | null> {
    const key = this.#next();
    if (key !== null) return Promise.resolve(this.#begin(key));
    if (this.#stopping) return Promise.resolve(null);
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  /** The work on a key is over; a key that was added meanwhile waits again. */
  done(key: string): void {
    const sinceMs = this.#processing.get(key);
    if (sinceMs === undefined) return;
    this.#processing.delete(key);
    this.#observe("workqueue_work_duration_seconds", this.#nowMs() - sinceMs);
    const again = this.#waiting.get(key);
    if (again !== undefined) this.#offer(key, again.lane);
    this.#noticeEmpty();
  }

  /**
   * Takes no more keys. Resolves when nothing is worked on any more, with `drain` also nothing
   * waits. Idempotent.
   */
  shutDown(options: ShutDownOptions): Promise<void> {
    this.#stopping = true;
    this.#timer?.handle.cancel();
    this.#timer = null;
    this.#delayed.clear();
    if (!options.drain) {
      this.#waiting.clear();
      for (const lane of LANES) this.#lanes[lane].clear();
    }
    const finished = new Promise<void>((resolve) => this.#onEmpty.push(resolve));
    this.#noticeEmpty();
    return finished;
  }

  /** Gives the key to a waiting worker, or queues it. */
  #offer(key: string, lane: Lane): void {
    const taker = this.#takers.shift();
    if (taker === undefined) this.#lanes[lane].push(key);
    else taker(this.#begin(key));
  }

  #begin(key: string): string {
    const sinceMs = this.#waiting.get(key)?.sinceMs ?? this.#nowMs();
    this.#waiting.delete(key);
    this.#processing.set(key, this.#nowMs());
    this.#observe("workqueue_queue_duration_seconds", this.#nowMs() - sinceMs);
    return key;
  }

  #next(): string | null {
    this.#taken += 1;
    // The lane whose turn it is out of order; null = in order.
    const report = this.#taken % REPORT_SHARE === 0 ? "report" : null;
    const first = report ?? (this.#taken % BULK_SHARE === 0 ? "bulk" : null);
    let key = first === null ? null : this.#nextOf(first);
    for (const lane of LANES) key ??= this.#nextOf(lane);
    return key;
  }

  #nextOf(lane: Lane): string | null {
    const fifo = this.#lanes[lane];
    for (let key = fifo.shift(); key !== undefined; key = fifo.shift()) {
      if (this.#waiting.get(key)?.lane === lane && !this.#processing.has(key)) return key;
    }
    return null;
  }

  #noticeEmpty(): void {
    if (!this.#stopping || this.#processing.size + this.#waiting.size > 0) return;
    this.#measure();
    this.#unmeasure();
    for (const resolve of this.#onEmpty.splice(0)) resolve();
    for (let taker = this.#takers.shift(); taker; taker = this.#takers.shift()) taker(null);
  }

  #armTimer(): void {
    const dueMs = this.#delayed.firstDueMs;
    if (dueMs === null || (this.#timer !== null && this.#timer.dueMs <= dueMs)) return;
    this.#timer?.handle.cancel();
    const handle = this.#options.clock.setTimer(dueMs - this.#nowMs(), () => this.#onTimer());
    this.#timer = { dueMs, handle };
  }

  #onTimer(): void {
    this.#timer = null;
    const nowMs = this.#nowMs();
    for (let key = this.#delayed.takeDue(nowMs); key !== null; key = this.#delayed.takeDue(nowMs)) {
      this.add(key, "bulk");
    }
    this.#armTimer();
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }

  #count(name: string): void {
    this.#options.metrics.count(name, { name: this.#options.name });
  }

  #observe(name: string, durationMs: number): void {
    this.#options.metrics.observe(name, durationMs / 1_000, { name: this.#options.name });
  }

  #measure(): void {
    const { metrics, name } = this.#options;
    metrics.gauge("workqueue_depth", this.#waiting.size, { name });
    const nowMs = this.#nowMs();
    let [totalMs, longestMs] = [0, 0];
    for (const sinceMs of this.#processing.values()) {
      totalMs += nowMs - sinceMs;
      longestMs = Math.max(longestMs, nowMs - sinceMs);
    }
    metrics.gauge("workqueue_unfinished_work_seconds", totalMs / 1_000, { name });
    metrics.gauge("workqueue_longest_running_processor_seconds", longestMs / 1_000, { name });
  }
}

/** The array is compacted when this many slots, and more than half, are consumed. */
const COMPACT_FROM = 1024;

/** An unbounded queue; its user must bound it. */
class Fifo<T> {
  #items: T[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  /** Adds at the end. */
  push(item: T): void {
    this.#items.push(item);
  }

  /** Takes the first; undefined = empty. */
  shift(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#head];
    this.#head += 1;
    if (this.#head >= COMPACT_FROM && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Forgets everything. */
  clear(): void {
    this.#items = [];
    this.#head = 0;
  }
}
