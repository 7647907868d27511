/**
 * What one candidate of an election has seen of the others, and what follows from it: when it may
 * take the Lease, with which epoch, and who is preferred. Time is its own monotonic time.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { KubeObject } from "../../objects/kubernetes.ts";
import { type LeaseRecord, recordOfLease } from "./lease-record.ts";

/** Who should lead, among candidates that could. */
export interface Preference {
  /** The lower one is preferred; null = after all that have one. Asked at each try. */
  rank(): number | null;
  /** Why this candidate, standing by, does not ask for the lead; null = nothing is against it. */
  trouble(): string | null;
  /** How long there is no trouble before it asks, in milliseconds. */
  readonly afterMs: number;
}

/** What it is made with. */
export interface SightOptions {
  readonly clock: Clock;
  readonly identity: string;
  readonly durationMs: number;
  readonly retryPeriodMs: number;
  readonly replacedPauseMs?: number;
  readonly preference?: Preference;
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

/**
 * A Lease that is deleted while its holder is cut off may have two leaders for seconds, so once is
 * no proof.
 */
const REPLACED_MAX = 1;
/** The version of a missing Lease. */
const MISSING = "";
/** A Lease that was given up for a candidate waits for it so many retry periods. */
const GRANT_PERIODS = 3;

/** One for each candidate. */
export class LeaseSight {
  readonly #options: SightOptions;
  /** The Lease's version under another holder, and since when (monotonic) it is unchanged. */
  #seen: { readonly version: string; readonly sinceMs: number } | null = null;
  #takeableAtMs = Number.POSITIVE_INFINITY;
  #transitionsMax = -1;
  #replaced: Replaced | null = null;
  /** Monotonic: since when nothing is against leading; null = something is. */
  #wellSinceMs: number | null = null;

  constructor(options: SightOptions) {
    this.#options = options;
  }

  /** A later epoch than that of the term `ownEpoch` (null = there is none) writes to a zone. */
  outdated(epoch: number, ownEpoch: number | null, replacedUs: boolean): void {
    this.#transitionsMax = Math.max(this.#transitionsMax, epoch);
    const times = (this.#replaced?.times ?? 0) + (replacedUs ? 1 : 0);
    const pauseMs = replacedUs ? times * (this.#options.replacedPauseMs ?? 0) : 0;
    // clause: replaced-holder-pauses
    const pausedUntilMs = this.#nowMs() + pauseMs;
    this.#replaced = ownEpoch === null ? null : { ownEpoch, epoch, times, pausedUntilMs };
  }

  /** Another one has held the Lease since: what was replaced before proves nothing any more. */
  forgetReplaced(lease: KubeObject | null): void {
    const { holder, transitions } = lease === null ? NO_HOLDER : recordOfLease(lease);
    const isLast = holder === this.#options.identity && transitions === this.#replaced?.ownEpoch;
    if (!isLast) this.#replaced = null;
  }

  /** A term with this epoch begins. */
  begun(epoch: number): void {
    this.#transitionsMax = epoch;
    this.#seen = null;
    this.#takeableAtMs = Number.POSITIVE_INFINITY;
    this.#wellSinceMs = null;
  }

  /** Above all that were seen. */
  get nextEpoch(): number {
    return this.#transitionsMax + 1;
  }

  /** Epoch of the term that another Lease of the election replaced; null = no pause follows it. */
  get pausedTerm(): number | null {
    const { ownEpoch, pausedUntilMs } = this.#replaced ?? { ownEpoch: null, pausedUntilMs: 0 };
    return this.#nowMs() < pausedUntilMs ? ownEpoch : null;
  }

  /** See `LeaseElectionOptions.onStartedLeading`. */
  get copyEpoch(): number | null {
    const { epoch, times } = this.#replaced ?? { epoch: 0, times: 0 };
    return times > REPLACED_MAX ? epoch : null;
  }

  /**
   * True when the Lease is held by this candidate, is free, or was not renewed for its whole
   * duration by our clock.
   */
  mayTake(lease: KubeObject): boolean {
    const { identity, durationMs, retryPeriodMs } = this.#options;
    const record = recordOfLease(lease);
    this.#transitionsMax = Math.max(this.#transitionsMax, record.transitions);
    if (record.holder === identity) return true;
    const isFree = record.holder === "";
    if (isFree && (record.preferred?.identity ?? identity) === identity) return true;
    const waitMs = isFree ? GRANT_PERIODS * retryPeriodMs : Math.max(record.durationMs, durationMs);
    const unchangedMs = this.#unchangedMs(lease.metadata.resourceVersion ?? MISSING, waitMs);
    // clause: expired-lease-may-be-taken
    return unchangedMs >= waitMs;
  }

  /** Monotonic: when what was seen may be taken if it stays; infinite = nothing of others was. */
  get takeableAtMs(): number {
    return this.#takeableAtMs;
  }

  /**
   * The holder of a deleted Lease leads until its next renewal fails, so a candidate that saw a
   * holder waits. A candidate that has seen none need not wait; if there is a leader nevertheless,
   * the fence of the zone stops one of them (Z-17).
   */
  mayCreate(): boolean {
    const { durationMs } = this.#options;
    return this.#seen === null || this.#unchangedMs(MISSING, durationMs) >= durationMs;
  }

  /** The holder gives the Lease up: a better candidate asks for it. */
  yieldsTo({ holder, preferred }: LeaseRecord): boolean {
    const { identity } = this.#options;
    if (holder !== identity || preferred === null || preferred.identity === identity) return false;
    return /* clause: only-a-better-one-gets-the-lead */ isBetter(preferred.rank, this.#rank);
  }

  /**
   * What this candidate, standing by, changes in who asks for the lead; undefined = nothing. It
   * asks right after a renewal, so that no expiry is put off, and once.
   */
  request({
    holder,
    rank: holderRank,
    preferred,
  }: LeaseRecord): LeaseRecord["preferred"] | undefined {
    const { identity, preference, retryPeriodMs } = this.#options;
    if (preference === undefined || holder === "") return undefined;
    const rank = this.#rank;
    const isMine = preferred?.identity === identity;
    // What speaks against it costs a look at all zones.
    if (rank === null) return isMine ? null : undefined;
    const isWell = this.isWell();
    if (isMine) return isWell ? undefined : null;
    const isBest =
      isBetter(rank, holderRank) && (preferred === null || isBetter(rank, preferred.rank));
    const renewedAtMs = this.#seen?.sinceMs ?? Number.NEGATIVE_INFINITY;
    const wasRenewed = this.#nowMs() - renewedAtMs < retryPeriodMs / 2;
    return isBest && isWell && wasRenewed ? { rank, identity } : undefined;
  }

  /** Nothing has been against leading for the time that is asked for. */
  isWell(): boolean {
    const { preference } = this.#options;
    if (preference === undefined) return false;
    if (/* clause: who-asks-is-well */ preference.trouble() !== null) this.#wellSinceMs = null;
    else this.#wellSinceMs ??= this.#nowMs();
    const sinceMs = this.#wellSinceMs;
    // clause: who-asks-was-well-for-a-time
    return sinceMs !== null && this.#nowMs() - sinceMs >= preference.afterMs;
  }

  get #rank(): number | null {
    return this.#options.preference?.rank() ?? null;
  }

  #unchangedMs(version: string, waitMs: number): number {
    const nowMs = this.#nowMs();
    if (this.#seen?.version !== version) this.#seen = { version, sinceMs: nowMs };
    this.#takeableAtMs = this.#seen.sinceMs + waitMs;
    return nowMs - this.#seen.sinceMs;
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }
}

const NO_HOLDER = { holder: "", transitions: -1 };

function isBetter(one: number | null, other: number | null): boolean {
  return (one ?? Number.POSITIVE_INFINITY) < (other ?? Number.POSITIVE_INFINITY);
}
