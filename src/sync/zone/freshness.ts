/**
 * How old a reading of a name may be when the name is written, where the provider's call compares
 * nothing (Z-8). One object for each round; what it learns for the next round is in the ledger.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { ChangeGroup } from "../../plan/changes.ts";
import type { Result } from "../calls/apply-batches.ts";
import { mustReadFirst } from "../calls/assertions.ts";
import type { OpenZoneInput } from "../contract/zone.ts";
import type { NameLedger } from "./name-ledger.ts";
import type { ReadNames } from "./zone-reader.ts";

/** What is known in a round. */
export interface FreshnessInput {
  readonly zoneInput: OpenZoneInput;
  readonly ledger: Pick<NameLedger, "lateRounds">;
  readonly clock: Clock;
  /** Names that were read in this round. */
  readonly read: ReadNames;
}

/**
 * Milliseconds. Five times as long as the reading took, within these bounds: reading has a fourth
 * of the rate, and so costs no more than a twentieth of the calls.
 */
const FRESH_MS_MIN = 10_000;
const FRESH_MS_MAX = 60_000;
const FRESH_TIMES = 5;

/** The judge of one round. */
export class Freshness {
  readonly #round: FreshnessInput;
  #isSent = false;
  #isLate = false;
  /** How often the usual time had to be doubled so that groups could be sent. */
  #doublings = 0;

  constructor(round: FreshnessInput) {
    this.#round = round;
  }

  /**
   * Whether the group may be sent now. `isFirst`: it is in one of the first batches of the round;
   * for these the time is doubled with each round in a row that sent nothing because its readings
   * were too old, else a zone with a slow account would read for ever.
   */
  isFresh(group: ChangeGroup, isFirst: boolean): boolean {
    if (!this.#mustBeRead(group)) return true;
    const { read, clock, ledger } = this.#round;
    const time = read.get(group.name);
    if (time === undefined) return /* clause: unread-name-is-not-fresh */ false;
    const { askedAtMs, tookMs } = time;
    const ageMs = clock.monotonicMs() - askedAtMs - tookMs;
    const usualMs = Math.max(FRESH_MS_MIN, Math.min(FRESH_TIMES * tookMs, FRESH_MS_MAX));
    const isFresh = ageMs <= usualMs * (isFirst ? 2 ** ledger.lateRounds : 1);
    if (!isFresh) this.#isLate = true;
    else if (isFirst) this.#doublings = Math.max(0, Math.ceil(Math.log2(ageMs / usualMs)));
    return isFresh;
  }

  /** These were sent, or failed before that. */
  sent(results: readonly Result[]): void {
    this.#isSent ||= results.some(
      ({ group, outcome }) => outcome.status !== "retry" && this.#mustBeRead(group),
    );
  }

  /** The round is over; notes for the next one how often the time has to be doubled. */
  end(): void {
    const { ledger } = this.#round;
    if (this.#isSent) ledger.lateRounds = this.#doublings;
    else if (this.#isLate) ledger.lateRounds += 1;
  }

  #mustBeRead(group: ChangeGroup): boolean {
    return mustReadFirst(group, this.#round.zoneInput.session.capabilities);
  }
}
