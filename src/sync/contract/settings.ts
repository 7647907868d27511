/**
 * Intervals and bounds of the loops. All named, all in one place; tests and the simulator shorten
 * them.
 */

/** Milliseconds unless the name says otherwise. */
export interface SyncSettings {
  /** Longest time names gather after a round (docs/architecture.md#react). */
  readonly gatherMs: number;
  /** The same in a burst, where batches are atomic and the last one was not full. */
  readonly gatherManyMs: number;
  /** Between full reloads of a zone with a change token, such as the SOA serial. */
  readonly reloadWithTokenMs: number;
  /** Between full reloads of a zone without one. */
  readonly reloadWithoutTokenMs: number;
  /** How often the change token is asked. */
  readonly tokenPollMs: number;
  /** Least time between two looks at the change token, however many hints come (RFC 1996 §4.4). */
  readonly hintPollMs: number;
  /**
   * Without deltas: for so long nothing of ours must have been written before a changed token
   * causes a full reload (Z-6).
   */
  readonly quietBeforeReloadMs: number;
  /**
   * How often a full pass over a loaded zone is compared with what changes told of
   * (docs/architecture.md#budgets).
   */
  readonly selfCheckMs: number;
  /** Back-off of a failing name, and its first step for a zone. */
  readonly retryFirstMs: number;
  readonly retryMostMs: number;
  /** Longest wait for a zone that cannot be read: when its server is back, nobody waits long. */
  readonly zoneRetryMostMs: number;
  /** Names planned in one round, and read before it; the rest waits for the next. */
  readonly namesPerRoundMax: number;
  /** The same while objects change: their names go first, and others wait for a later round. */
  readonly editedPerRoundMax: number;
  /** Moved names that are read again at a time; more of them are a reload. */
  readonly rereadMax: number;
}

/** What `run` and `dev` use. */
export const SYNC_DEFAULTS: SyncSettings = {
  gatherMs: 100,
  gatherManyMs: 300,
  reloadWithTokenMs: 3_600_000,
  reloadWithoutTokenMs: 300_000,
  tokenPollMs: 10_000,
  hintPollMs: 1_000,
  quietBeforeReloadMs: 30_000,
  selfCheckMs: 600_000,
  retryFirstMs: 1_000,
  retryMostMs: 600_000,
  zoneRetryMostMs: 30_000,
  namesPerRoundMax: 2_000,
  editedPerRoundMax: 500,
  rereadMax: 200,
};
