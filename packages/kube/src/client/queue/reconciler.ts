/**
 * Workers over a work queue: each key is reconciled, and repeated depending on the outcome. It
 * judges errors by their retry advice only; it knows nothing about the reconciled objects.
 */
import { InvariantError } from "@zonekeeper/base/invariant";
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { type Clock, Slices } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { Random } from "@zonekeeper/base/ports/random";
import type { BackOffRange } from "@zonekeeper/base/timing/back-off";
import type { WorkQueue as RunningQueue } from "../../ports/work-queue.ts";
import { type Lane, WorkQueue } from "./work-queue.ts";

/** The work of a reconciler. */
export interface ReconcilerOptions {
  /** For logs and metrics: `dnsentry`. */
  readonly name: string;
  /** Keeps its worker for as long as it runs: a key is never worked on twice at once. */
  reconcile(key: string): Promise<void>;
  /** Reconciles at the same time; default 8: each mostly waits for an API server. */
  readonly workers?: number;
  /** Delays after failures; default 1 s to 10 min. */
  readonly backOff?: BackOffRange;
}

/** The ports of a reconciler. */
export interface ReconcilerPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
}

const WORKERS = 8;

/** Outcomes of a reconcile, with the names of controller-runtime's metrics. */
type Outcome = "success" | "error";

/**
 * Starts workers at once. Fits `StartQueue` of `ports/work-queue.ts` when the ports are bound:
 * `(options) => new Reconciler(options, ports)`.
 */
export class Reconciler implements RunningQueue {
  readonly #options: ReconcilerOptions;
  readonly #ports: ReconcilerPorts;
  readonly #queue: WorkQueue;
  readonly #slices: Slices;
  readonly #unmeasure: () => void;
  #isStopping = false;
  #active = 0;

  constructor(options: ReconcilerOptions, ports: ReconcilerPorts) {
    const { name, backOff, workers = WORKERS } = options;
    const { clock, random, metrics } = ports;
    this.#options = options;
    this.#ports = ports;
    this.#slices = new Slices(clock);
    const delays = backOff === undefined ? {} : { backOff };
    this.#queue = new WorkQueue({ name, clock, random, metrics, ...delays });
    const controller = name;
    metrics.gauge("controller_runtime_max_concurrent_reconciles", workers, { controller });
    this.#unmeasure = metrics.beforeScrape(() => this.#measure());
    // A worker rejects only for a broken invariant, which is not caught: the process ends.
    for (let i = 0; i < workers; i++) void this.#work();
  }

  /** Nothing waits, is delayed or runs. For tests and the simulator. */
  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  /** Reconciles the key soon. `bulk` for first lists and resyncs, so that edits overtake them. */
  add(key: string, lane: Lane = "edit"): void {
    this.#queue.add(key, lane);
  }

  /** Reconciles the key after `delayMs`; the earliest of several delays counts. */
  addAfter(key: string, delayMs: number): void {
    this.#queue.addAfter(key, delayMs);
  }

  /** Reconciles the key when nothing else waits. */
  addLast(key: string): void {
    this.#queue.add(key, "report");
  }

  /**
   * Starts no more reconciles, and resolves when those that run have ended. Idempotent.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#queue.shutDown({ drain: false });
    this.#measure();
    this.#unmeasure();
  }

  async #work(): Promise<void> {
    for (let key = await this.#queue.take(); key !== null; key = await this.#queue.take()) {
      await this.#reconcile(key);
      this.#queue.done(key);
      // Reconciles that wait for nobody follow each other without a pause. Who makes way holds no
      // key: an edit that comes meanwhile is the next one.
      if (this.#slices.isOver) await this.#slices.next();
    }
  }

  async #reconcile(key: string): Promise<void> {
    const { clock, metrics } = this.#ports;
    const controller = this.#options.name;
    const startMs = clock.monotonicMs();
    this.#active += 1;
    const outcome = await this.#attempt(key);
    this.#active -= 1;
    metrics.count("controller_runtime_reconcile_total", { controller, result: outcome });
    const seconds = (clock.monotonicMs() - startMs) / 1_000;
    metrics.observe("controller_runtime_reconcile_time_seconds", seconds, { controller });
  }

  async #attempt(key: string): Promise<Outcome> {
    try {
      await this.#options.reconcile(key);
      this.#queue.forget(key);
      return "success";
    } catch (error) {
      if (error instanceof InvariantError) throw error;
      this.#onFailure(key, error);
      return "error";
    }
  }

  #onFailure(key: string, error: unknown): void {
    const { log, metrics } = this.#ports;
    const controller = this.#options.name;
    const operation = error instanceof OperationError ? error : null;
    metrics.count("controller_runtime_reconcile_errors_total", { controller });
    const fields = { controller, key, error: messageOf(error), code: operation?.code ?? null };
    if (this.#isStopping) {
      log.debug("reconcile was interrupted by the stop", fields);
      return;
    }
    if (operation?.retry === "never") {
      this.#queue.forget(key);
      metrics.count("controller_runtime_terminal_reconcile_errors_total", { controller });
      log.error("reconcile failed, not repeated until the object changes", fields);
      return;
    }
    const retryInMs = this.#retry(key, operation);
    // An error other than OperationError is a bug, but the other keys still work.
    if (operation === null) log.error("reconcile threw", { ...fields, retryInMs });
    // A lagging cache makes conflicts common, so they are logged for debugging only.
    else if (operation?.code === "Conflict")
      log.debug("reconcile met a conflict", { ...fields, retryInMs });
    else log.warn("reconcile failed", { ...fields, retryInMs });
  }

  #retry(key: string, operation: OperationError | null): number {
    const afterMs = operation?.retry === "after" ? operation.retryAfterMs : null;
    if (afterMs === null) return Math.round(this.#queue.addRateLimited(key));
    this.#queue.addAfter(key, afterMs);
    return afterMs;
  }

  #measure(): void {
    const labels = { controller: this.#options.name };
    this.#ports.metrics.gauge("controller_runtime_active_workers", this.#active, labels);
  }
}
