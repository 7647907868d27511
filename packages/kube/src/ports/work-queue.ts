/**
 * Work queues as controllers see them: keys go in, one reconcile at a time for each key. The
 * cluster folder implements it (client-go's contract); controllers know no worker, no back-off and
 * no timer.
 */

/** A running queue with its workers. All methods are synchronous and never throw. */
export interface WorkQueue {
  /**
   * Reconciles the key soon; a key that waits already is not queued twice, one in work runs again
   * afterwards.
   */
  add(key: string): void;
  /**
   * Adds the key after `delayMs`, behind those of `add`; the earliest of several delays counts. 0 =
   * now, as bulk.
   */
  addAfter(key: string, delayMs: number): void;
  /** Adds the key behind all others: a report waits for the work. */
  addLast(key: string): void;
  /** Takes no more keys, lets reconciles in work finish. Idempotent. */
  stop(): Promise<void>;
}

/** What a controller does with a key. */
export interface ReconcileOptions {
  /** For logs and metrics: `dnsentry`, `dnsprovider`, `service-dns`. */
  readonly name: string;
  /**
   * Makes the world agree with what is known about the key. Rejecting with OperationError is
   * retried as its `retry` advises; the next success forgets the back-off. Each call that it makes
   * has a time limit of its own: while it runs, its worker does nothing else.
   */
  reconcile(key: string): Promise<void>;
}

/** Starts a queue. */
export type StartQueue = (options: ReconcileOptions) => WorkQueue;
