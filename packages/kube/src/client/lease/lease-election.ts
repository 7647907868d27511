/**
 * Leader election over a Lease, with client-go's times. Every decision uses the local monotonic
 * time, never the times in the Lease. A leader that cannot renew stops before another candidate may
 * begin.
 *
 *   renewal sent ──10 s: stop leading──┐
 *   renewal seen by others ────────────┴──15 s: may take over
 */
import { InvariantError, invariant } from "@zonekeeper/base/invariant";
import { messageOf, OperationError, retryable } from "@zonekeeper/base/operation-error";
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
  leasePreferring,
  leaseWith,
  newLease,
  otherInstallation,
  recordOfLease,
} from "./lease-record.ts";
import { LeaseSight, type Preference } from "./lease-sight.ts";

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
   * While a Lease moves, the old one and the new one may elect a leader each. Where the leader of
   * the other one replaced our record in a zone, this candidate keeps its Lease and does not lead
   * for so many milliseconds, twice as many the second time in a row. Default 0.
   */
  readonly replacedPauseMs?: number;
  /** Absent = none is preferred to another. */
  readonly preference?: Preference;
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

/** Followers wait longer by up to this share, so that they do not all ask at the same moment. */
const JITTER_SHARE = 0.2;
const PAUSE_MS_MIN = 200;
/** Reads of the Lease in a retry period, by a candidate that stands by. */
const STANDBY_READS = 4;
const STRANGE =
  "another installation holds the Lease, so this one stands by and writes nothing; give it a Lease of its own (--lease-name)";
/** One candidate. `run` is called once. */
export class LeaseElection {
  readonly #options: LeaseElectionOptions;
  readonly #timing: LeaseTiming;
  readonly #sight: LeaseSight;
  /** Identity of the holder that this candidate stands by for; empty = none was seen. */
  #leader = "";
  #term: Term | null = null;
  /** `onStoppedLeading` of the last term; no new term before it has ended. */
  #stopped: Promise<void> = Promise.resolve();
  /** The Lease as last read or written; null = read it first. */
  #lease: KubeObject | null = null;

  constructor(options: LeaseElectionOptions) {
    this.#options = options;
    this.#timing = options.timing ?? LEASE_TIMING;
    const { durationMs, renewDeadlineMs, retryPeriodMs } = this.#timing;
    invariant(durationMs > renewDeadlineMs, "the lease outlasts the renewal deadline");
    invariant(renewDeadlineMs > 2 * retryPeriodMs, "a renewal may fail once");
    this.#sight = new LeaseSight({ ...options, ...this.#timing });
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
    this.#sight.outdated(epoch, this.#term?.epoch ?? null, replacedUs);
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
      const wasAnswered = await this.#try(signal);
      const isStandby = wasAnswered && this.#lease === null;
      await sleep(this.#options.clock, this.#pauseMs(startMs, leading, isStandby), signal);
    }
    const held = this.#term !== null || this.#sight.pausedTerm !== null;
    this.#endTerm("the program stops");
    await this.#stopped;
    if (held) await this.#release();
  }

  /**
   * Time until the next attempt; `leading` = the last one began within a term. The period counts
   * from its start, so that a leader has time for another attempt after a slow failure. A candidate
   * that stands by also looks when the Lease is over.
   */
  #pauseMs(startMs: number, leading: boolean, isStandby: boolean): number {
    const jitter = leading ? 1 : 1 + JITTER_SHARE * this.#options.random.next();
    const periodMs = this.#timing.retryPeriodMs * jitter;
    const dueMs = isStandby
      ? Math.min(startMs + periodMs / STANDBY_READS, this.#sight.takeableAtMs)
      : startMs + periodMs;
    return Math.max(PAUSE_MS_MIN, dueMs - this.#nowMs());
  }

  /** False = the Lease could not be read or written. */
  async #try(signal: AbortSignal): Promise<boolean> {
    const deadline = new Deadline(this.#options.clock, signal);
    deadline.extend(this.#timing.renewDeadlineMs / 2, slowError);
    try {
      await this.#acquireOrRenew(deadline.signal);
      return true;
    } catch (error) {
      if (error instanceof InvariantError) throw error;
      this.#lease = null;
      if (!signal.aborted) this.#logFailure(error);
      return false;
    } finally {
      deadline.release();
    }
  }

  async #acquireOrRenew(signal: AbortSignal): Promise<void> {
    const fresh = this.#term !== null && this.#lease !== null ? this.#lease : null;
    const lease = fresh ?? (await orAborted(this.#read(), signal));
    if (this.#term === null) this.#sight.forgetReplaced(lease);
    const record = lease === null ? null : recordOfLease(lease);
    if (lease !== null && record !== null && this.#sight.yieldsTo(record))
      await this.#yield(lease, record, signal);
    else if (lease === null ? this.#sight.mayCreate() : this.#sight.mayTake(lease))
      await this.#take(lease, signal);
    else {
      this.#endTerm(record === null ? "the Lease is gone" : `${record.holder} holds the Lease`);
      this.#standBy(record);
      if (lease !== null && record !== null) await this.#ask(lease, record, signal);
    }
  }

  /** A better candidate gets the Lease, once nothing is written here any more. */
  async #yield(lease: KubeObject, record: LeaseRecord, signal: AbortSignal): Promise<void> {
    this.#endTerm(`${record.preferred?.identity} is preferred`);
    await orAborted(this.#stopped, signal);
    await orAborted(this.#options.writer.update(LEASE, this.#freed(lease, record)), signal);
  }

  /** Says that it should lead, or that it should not any more. */
  async #ask(lease: KubeObject, record: LeaseRecord, signal: AbortSignal): Promise<void> {
    const request = this.#sight.request(record);
    if (request === undefined) return;
    const news = request === null ? "does not ask for the lead any more" : "asks for the lead";
    this.#options.log.info(news, { lease: this.#options.name, leader: record.holder });
    await orAborted(this.#options.writer.update(LEASE, leasePreferring(lease, request)), signal);
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

  #read(): Promise<KubeObject | null> {
    const { writer, namespace, name } = this.#options;
    return writer.read({ kind: LEASE, namespace, name });
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
    const paused = lease === null || term !== null ? null : this.#sight.pausedTerm;
    const transitions = term?.epoch ?? paused ?? this.#sight.nextEpoch;
    const next = leaseWith(
      lease ?? newLease(namespace, name),
      {
        ...{ holder: identity, durationMs: this.#timing.durationMs, transitions, installation },
        rank: this.#options.preference?.rank() ?? null,
        preferred: null,
      },
      { nowMs: clock.nowMs(), acquired: term === null && paused === null },
    );
    const written = lease === null ? writer.create(LEASE, next) : writer.update(LEASE, next);
    this.#lease = await orAborted(written, signal);
    if (term !== null) this.#renewed(term, sentAtMs);
    else if (paused === null) await this.#begin(transitions, sentAtMs);
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
    this.#sight.begun(epoch);
    if (this.#nowMs() >= sentAtMs + this.#timing.renewDeadlineMs) return;
    this.#term = { epoch, renewedAtMs: sentAtMs, timer: this.#timerFor(sentAtMs) };
    this.#leader = "";
    this.#gauge(1);
    this.#options.log.info("leading", { lease: this.#options.name, epoch });
    this.#options.onStartedLeading(epoch, this.#sight.copyEpoch);
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
      const record = lease === null ? null : recordOfLease(lease);
      if (lease === null || record?.holder !== identity) return;
      const next = this.#freed(lease, record);
      await orAborted(this.#options.writer.update(LEASE, next), deadline.signal);
    } catch (error) {
      log.warn("the Lease was not released", { lease: name, error: messageOf(error) });
    } finally {
      deadline.release();
    }
  }

  #freed(lease: KubeObject, record: LeaseRecord): KubeObject {
    const free = { ...record, holder: "", durationMs: 1_000, rank: null };
    return leaseWith(lease, free, { nowMs: this.#options.clock.nowMs(), acquired: false });
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
  return retryable("Unavailable", "the API server did not answer in time");
}
