/**
 * Leader election over a Lease, with client-go's times. Every decision uses the local monotonic
 * time, never the times in the Lease. A leader that cannot renew stops before another candidate may
 * begin.
 *
 *   renewal sent ──10 s: stop leading──┐
 *   renewal seen by others ────────────┴──15 s: may take over
 */
import { InvariantError, invariant } from "@zonekeeper/base/invariant";
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { type Clock, sleep, type Timer } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { Random } from "@zonekeeper/base/ports/random";
import { LEASE } from "../../objects/kinds.ts";
import type { KubeObject } from "../../objects/kubernetes.ts";
import type { ClusterWriter } from "../../ports/cluster-writer.ts";
import { Deadline, orAborted } from "../requests/abort.ts";
import {
  type LeaseRecord,
  leaseWith,
  newLease,
  otherInstallation,
  recordOfLease,
} from "./lease-record.ts";

/** Times of an election in milliseconds; duration > renewal deadline > 2 × retry period. */
export interface LeaseTiming {
  readonly durationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** The defaults of client-go. */
export const LEASE_TIMING: LeaseTiming = {
  durationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2_000,
};

/** What an election works with. */
export interface LeaseElectionOptions {
  /** Without a rate limit, so that renewals are never delayed. */
  readonly writer: Pick<ClusterWriter, "read" | "create" | "update">;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly namespace: string;
  readonly name: string;
  /** Unique for each run of the program: host name and a fresh UUID. */
  readonly identity: string;
  /** What replicas have in common and other installations have not; for people. */
  readonly installation: string;
  /** Default LEASE_TIMING. */
  readonly timing?: LeaseTiming;
  /**
   * Where two Leases may elect for a zone (one moves): how long a candidate whose record was
   * replaced holds its Lease without leading; twice as long at the second time. Default 0 ms.
   */
  readonly replacedPauseMs?: number;
  /**
   * A term begins. `epoch` (the Lease's leaseTransitions) is higher than that of any term before.
   * `copyEpoch`: a copy of our cluster writes to a zone with it; null = none is known.
   */
  onStartedLeading(epoch: number, copyEpoch: number | null): void;
  /**
   * Another candidate holds the Lease; called once for each. Empty = nobody does, for now.
   * `other`: the installation that it is of; null = ours.
   */
  onStandby?(leader: string, other: string | null): void;
  /**
   * The term is over: stop writing. The Lease is released or sought again after the returned
   * promise resolves.
   */
  onStoppedLeading(reason: string): void | Promise<void>;
}

interface Term {
  readonly epoch: number;
  /** Monotonic: the last renewal that is known to have succeeded was sent then. */
  renewedAtMs: number;
  timer: Timer;
}

/** Others replaced our record in a zone while the Lease named us. */
interface Replaced {
  /** The Lease still shows this epoch of ours if nobody has taken it since. */
  readonly ownEpoch: number;
  readonly epoch: number;
  /** In a row. */
  readonly times: number;
  /** Monotonic: no term begins before. */
  readonly pausedUntilMs: number;
}

/** Followers wait longer by up to this share, so that they do not all ask at the same moment. */
const JITTER_SHARE = 0.2;
const PAUSE_MS_MIN = 200;
/**
 * A Lease that is deleted while its holder is cut off may have two leaders for seconds, so once is
 * no proof.
 */
const REPLACED_MAX = 1;
const STRANGE =
  "another installation holds the Lease, so this one stands by and writes nothing; give it a Lease of its own (--lease-name)";
/** The version of a missing Lease. */
const MISSING = "";

/** One candidate. `run` is called once. */
export class LeaseElection {
  readonly #options: LeaseElectionOptions;
  readonly #timing: LeaseTiming;
  /** Identity of the holder that this candidate stands by for; empty = none was seen. */
  #leader = "";
  #term: Term | null = null;
  /** `onStoppedLeading` of the last term; no new term before it has ended. */
  #stopped: Promise<void> = Promise.resolve();
  /** The Lease as last read or written; null = read it first. */
  #lease: KubeObject | null = null;
  /** The Lease's version under another holder, and since when (monotonic) it is unchanged. */
  #seen: { readonly version: string; readonly sinceMs: number } | null = null;
  #transitionsMax = -1;
  #replaced: Replaced | null = null;

  constructor(options: LeaseElectionOptions) {
    this.#options = options;
    this.#timing = options.timing ?? LEASE_TIMING;
    const { durationMs, renewDeadlineMs, retryPeriodMs } = this.#timing;
    invariant(durationMs > renewDeadlineMs, "the lease outlasts the renewal deadline");
    invariant(renewDeadlineMs > 2 * retryPeriodMs, "a renewal may fail once");
    this.#gauge(0);
  }

  /**
   * True while this candidate may write. Correct even before the timers of a paused process have
   * run.
   */
  get isLeading(): boolean {
    return this.#term !== null && this.#nowMs() < this.#deadlineOf(this.#term);
  }

  /** The present term; null when not leading. */
  get epoch(): number | null {
    return this.isLeading ? (this.#term?.epoch ?? null) : null;
  }

  /**
   * Remaining milliseconds of the term with this epoch; 0 = it is over. Correct even after a pause
   * of the process.
   */
  remainingMs(epoch: number): number {
    const term = this.#term;
    if (term === null || term.epoch !== epoch) return 0;
    return Math.max(0, this.#deadlineOf(term) - this.#nowMs());
  }

  /**
   * A zone shows this epoch, which is later than the present term: the term ends. This candidate
   * may still hold the Lease, if it was deleted or an old one was restored. The next term is then
   * higher than the epoch of the zone (Z-17). `replacedUs`: the record of the present term stood
   * there. If that happens again while the Lease names nobody else, a copy of our cluster did it.
   */
  outdated(epoch: number, replacedUs: boolean): void {
    this.#transitionsMax = Math.max(this.#transitionsMax, epoch);
    const times = (this.#replaced?.times ?? 0) + (replacedUs ? 1 : 0);
    const ownEpoch = this.#term?.epoch;
    const pauseMs = replacedUs ? times * (this.#options.replacedPauseMs ?? 0) : 0;
    // clause: replaced-holder-pauses
    const pausedUntilMs = this.#nowMs() + pauseMs;
    this.#replaced = ownEpoch === undefined ? null : { ownEpoch, epoch, times, pausedUntilMs };
    this.#endTerm(`epoch ${epoch} writes to a zone`);
  }

  /**
   * Acquires and renews the Lease until the signal aborts; then ends the term and releases the
   * Lease.
   */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const leading = this.#term !== null;
      if (!leading) await this.#stopped;
      const startMs = this.#nowMs();
      await this.#try(signal);
      await sleep(this.#options.clock, this.#pauseMs(leading, startMs), signal);
    }
    const held = this.#term !== null || this.#pausedTerm !== null;
    this.#endTerm("the program stops");
    await this.#stopped;
    if (held) await this.#release();
  }

  /**
   * The period counts from the start of the attempt, so that a leader has time for another attempt
   * after a slow failure.
   */
  #pauseMs(leading: boolean, startMs: number): number {
    const jitter = leading ? 1 : 1 + JITTER_SHARE * this.#options.random.next();
    const dueMs = startMs + this.#timing.retryPeriodMs * jitter;
    return Math.max(PAUSE_MS_MIN, dueMs - this.#nowMs());
  }

  async #try(signal: AbortSignal): Promise<void> {
    const deadline = new Deadline(this.#options.clock, signal);
    deadline.extend(this.#timing.renewDeadlineMs / 2, slowError);
    try {
      await this.#acquireOrRenew(deadline.signal);
    } catch (error) {
      if (error instanceof InvariantError) throw error;
      this.#lease = null;
      if (!signal.aborted) this.#logFailure(error);
    } finally {
      deadline.release();
    }
  }

  async #acquireOrRenew(signal: AbortSignal): Promise<void> {
    const fresh = this.#term !== null && this.#lease !== null ? this.#lease : null;
    const lease = fresh ?? (await orAborted(this.#read(), signal));
    if (this.#term === null && !this.#isLast(lease)) this.#replaced = null;
    if (lease === null ? this.#mayCreate() : this.#mayTake(lease)) await this.#take(lease, signal);
    else {
      const record = lease === null ? null : recordOfLease(lease);
      this.#endTerm(record === null ? "the Lease is gone" : `${record.holder} holds the Lease`);
      this.#standBy(record);
    }
  }

  #standBy(record: LeaseRecord | null): void {
    const { log, namespace, name, installation } = this.#options;
    const leader = record?.holder ?? "";
    if (leader === this.#leader) return;
    this.#leader = leader;
    const other = record === null ? null : otherInstallation(record, installation);
    this.#options.onStandby?.(leader, other);
    if (other !== null)
      log.warn(STRANGE, { lease: `${namespace}/${name}`, leader, other, installation });
    else if (leader !== "") log.info("standing by", { lease: name, leader });
  }

  /** Nobody has held the Lease since the term that a zone showed to be outdated. */
  #isLast(lease: KubeObject | null): boolean {
    if (lease === null) return false;
    const { holder, transitions } = recordOfLease(lease);
    return holder === this.#options.identity && transitions === this.#replaced?.ownEpoch;
  }

  #read(): Promise<KubeObject | null> {
    const { writer, namespace, name } = this.#options;
    return writer.read({ kind: LEASE, namespace, name });
  }

  /**
   * True when the Lease is held by this candidate, is free, or was not renewed for its whole
   * duration by our clock.
   */
  #mayTake(lease: KubeObject): boolean {
    const record = recordOfLease(lease);
    this.#transitionsMax = Math.max(this.#transitionsMax, record.transitions);
    if (record.holder === this.#options.identity || record.holder === "") return true;
    const waitMs = Math.max(record.durationMs, this.#timing.durationMs);
    // clause: expired-lease-may-be-taken
    return this.#unchangedMs(lease.metadata.resourceVersion ?? MISSING) >= waitMs;
  }

  /**
   * The holder of a deleted Lease leads until its next renewal fails, so a candidate that saw a
   * holder waits. A candidate that has seen none need not wait; if there is a leader nevertheless,
   * the fence of the zone stops one of them (Z-17).
   */
  #mayCreate(): boolean {
    return this.#seen === null || this.#unchangedMs(MISSING) >= this.#timing.durationMs;
  }

  #unchangedMs(version: string): number {
    const nowMs = this.#nowMs();
    if (this.#seen?.version !== version) this.#seen = { version, sinceMs: nowMs };
    return nowMs - this.#seen.sinceMs;
  }

  /**
   * Writes the Lease: a renewal within a term, else a new term. Throws when another candidate wrote
   * first.
   */
  async #take(lease: KubeObject | null, signal: AbortSignal): Promise<void> {
    const { writer, clock, namespace, name, identity, installation } = this.#options;
    const term = lease === null ? null : this.#term;
    if (lease === null) this.#endTerm("the Lease was deleted");
    const sentAtMs = this.#nowMs();
    const paused = lease === null || term !== null ? null : this.#pausedTerm;
    const transitions = term?.epoch ?? paused ?? this.#transitionsMax + 1;
    const next = leaseWith(
      lease ?? newLease(namespace, name),
      { holder: identity, durationMs: this.#timing.durationMs, transitions, installation },
      { nowMs: clock.nowMs(), acquired: term === null && paused === null },
    );
    const written = lease === null ? writer.create(LEASE, next) : writer.update(LEASE, next);
    this.#lease = await orAborted(written, signal);
    if (term !== null) this.#renewed(term, sentAtMs);
    else if (paused === null) await this.#begin(transitions, sentAtMs);
  }

  /** Epoch of the term that another Lease of the election replaced; null = no pause follows it. */
  get #pausedTerm(): number | null {
    const { ownEpoch, pausedUntilMs } = this.#replaced ?? { ownEpoch: null, pausedUntilMs: 0 };
    return this.#nowMs() < pausedUntilMs ? ownEpoch : null;
  }

  #renewed(term: Term, sentAtMs: number): void {
    // If the term has ended meanwhile, the next round begins another.
    if (this.#term !== term) return;
    term.renewedAtMs = sentAtMs;
    term.timer.cancel();
    term.timer = this.#timerFor(sentAtMs);
  }

  async #begin(epoch: number, sentAtMs: number): Promise<void> {
    await this.#stopped;
    this.#transitionsMax = epoch;
    this.#seen = null;
    if (this.#nowMs() >= sentAtMs + this.#timing.renewDeadlineMs) return;
    this.#term = { epoch, renewedAtMs: sentAtMs, timer: this.#timerFor(sentAtMs) };
    this.#leader = "";
    this.#gauge(1);
    this.#options.log.info("leading", { lease: this.#options.name, epoch });
    this.#options.onStartedLeading(epoch, this.#copyEpoch);
  }

  get #copyEpoch(): number | null {
    const { epoch, times } = this.#replaced ?? { epoch: 0, times: 0 };
    return times > REPLACED_MAX ? epoch : null;
  }

  #timerFor(renewedAtMs: number): Timer {
    const delayMs = renewedAtMs + this.#timing.renewDeadlineMs - this.#nowMs();
    return this.#options.clock.setTimer(Math.max(0, delayMs), () =>
      this.#endTerm(`the Lease could not be renewed for ${this.#timing.renewDeadlineMs} ms`),
    );
  }

  #endTerm(reason: string): void {
    const term = this.#term;
    if (term === null) return;
    this.#term = null;
    this.#lease = null;
    term.timer.cancel();
    this.#gauge(0);
    this.#options.log.warn("no longer leading", { lease: this.#options.name, reason });
    this.#stopped = Promise.resolve(this.#options.onStoppedLeading(reason));
  }

  /**
   * Lets the next candidate begin at once. If the release fails, others wait until the Lease
   * expires.
   */
  async #release(): Promise<void> {
    const { clock, log, identity, name } = this.#options;
    const deadline = new Deadline(clock);
    deadline.extend(this.#timing.renewDeadlineMs / 2, slowError);
    try {
      const lease = await orAborted(this.#read(), deadline.signal);
      if (lease === null || recordOfLease(lease).holder !== identity) return;
      const free = { ...recordOfLease(lease), holder: "", durationMs: 1_000 };
      const next = leaseWith(lease, free, { nowMs: clock.nowMs(), acquired: false });
      await orAborted(this.#options.writer.update(LEASE, next), deadline.signal);
    } catch (error) {
      log.warn("the Lease was not released", { lease: name, error: messageOf(error) });
    } finally {
      deadline.release();
    }
  }

  #logFailure(error: unknown): void {
    const fields = { lease: this.#options.name, error: messageOf(error) };
    const lost = error instanceof OperationError && /^(Conflict|AlreadyExists)$/.test(error.code);
    if (lost) this.#options.log.debug("another candidate wrote the Lease", fields);
    else this.#options.log.warn("the Lease could not be read or written", fields);
  }

  #deadlineOf(term: Term): number {
    return term.renewedAtMs + this.#timing.renewDeadlineMs;
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }

  #gauge(value: 0 | 1): void {
    const { metrics, name } = this.#options;
    metrics.gauge("leader_election_master_status", value, { name });
  }
}

function slowError(): OperationError {
  return new OperationError({
    code: "Unavailable",
    message: "the API server did not answer in time",
    retry: "backoff",
  });
}
