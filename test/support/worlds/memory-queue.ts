/**
 * Work queues for tests and the simulator: keys in the order of arrival, one reconcile at a time
 * for each queue, retries with back-off on the given clock. Deterministic; reads no time of its
 * own.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { ReconcileOptions, StartQueue, WorkQueue } from "@zonekeeper/kube/ports/work-queue";

/** A failure of a reconcile, as a test may want to see it. */
export interface QueueFailure {
  readonly queue: string;
  readonly key: string;
  readonly error: unknown;
}

/** Makes `startQueue`; remembers failures. */
export class MemoryQueues {
  readonly failures: QueueFailure[] = [];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly start: StartQueue = (options) =>
    new MemoryQueue(options, this.#clock, (key, error) => {
      this.failures.push({ queue: options.name, key, error });
    });
}

const FIRST_RETRY_MS = 5;
const LAST_RETRY_MS = 30_000;

class MemoryQueue implements WorkQueue {
  readonly #options: ReconcileOptions;
  readonly #clock: Clock;
  readonly #onFailure: (key: string, error: unknown) => void;
  readonly #waiting = new Set<string>();
  readonly #failures = new Map<string, number>();
  #isStopped = false;
  #running: Promise<void> | null = null;

  constructor(
    options: ReconcileOptions,
    clock: Clock,
    onFailure: (key: string, error: unknown) => void,
  ) {
    this.#options = options;
    this.#clock = clock;
    this.#onFailure = onFailure;
  }

  add(key: string): void {
    if (this.#isStopped) return;
    this.#waiting.add(key);
    this.#running ??= this.#drain();
  }

  addAfter(key: string, delayMs: number): void {
    this.#clock.setTimer(delayMs, () => this.add(key));
  }

  addLast(key: string): void {
    this.add(key);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.clear();
    await this.#running;
  }

  async #drain(): Promise<void> {
    await Promise.resolve();
    for (let key = this.#next(); key !== null; key = this.#next()) await this.#run(key);
    this.#running = null;
  }

  #next(): string | null {
    const { value, done } = this.#waiting.values().next();
    if (done === true || value === undefined) return null;
    this.#waiting.delete(value);
    return value;
  }

  async #run(key: string): Promise<void> {
    try {
      await this.#options.reconcile(key);
      this.#failures.delete(key);
    } catch (error) {
      const count = this.#failures.get(key) ?? 0;
      this.#failures.set(key, count + 1);
      this.#onFailure(key, error);
      this.addAfter(key, Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** count));
    }
  }
}
