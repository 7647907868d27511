/**
 * Since when the change of an object at a name waits until a server has confirmed its write (the
 * time to answer, a metric), and whether somebody else changed the records in the zone (drift).
 * State only. Bounded by the names that are due.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import { RecentCounts } from "@zonekeeper/base/timing/recent-counts";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";

/** Corrections of one name within an hour; at the next drift it counts as fought over. */
const CORRECTED_MAX = 4;
const FIGHT_MS = 3_600_000;

/** The times of one zone, by name; monotonic milliseconds. */
export class AnswerTimes {
  readonly #clock: Clock;
  /** Changes that are planned or sent; each is at most as young as one that follows it. */
  readonly #taken = new Map<DnsName, number>();

  /** Names whose records somebody else changed, until they are as wanted again. */
  readonly #drifted = new Set<DnsName>();
  /** Writes that took back what somebody else had changed. */
  readonly #corrected = new RecentCounts<DnsName>(FIGHT_MS, CORRECTED_MAX);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A reading showed other records than wanted, and we had not written them. */
  drifted(name: DnsName): void {
    this.#drifted.add(name);
  }

  isDrifted(name: DnsName): boolean {
    return this.#drifted.has(name);
  }

  /** True when somebody else changes the records again and again, and no object changed. */
  isFought(name: DnsName): boolean {
    if (!this.isDrifted(name) || this.waiting(name) !== null) return false;
    return this.#corrected.isOften(name, this.#clock.monotonicMs());
  }

  /**
   * A round works on the name, whose input changed at `editedMs` (null = it did not): a change from
   * now on waits for the write of a later round.
   */
  taken(name: DnsName, editedMs: number | null): void {
    if (editedMs !== null && !this.#taken.has(name)) this.#taken.set(name, editedMs);
  }

  /** Nothing is to be written: the name is in sync, or held, and then no answer is due. */
  dropped(name: DnsName, isHeld: boolean): void {
    this.#taken.delete(name);
    if (!isHeld) this.#drifted.delete(name);
  }

  /** Milliseconds since the change of an object that waits for its answer; null = none does. */
  waiting(name: DnsName): number | null {
    const sinceMs = this.#taken.get(name);
    return sinceMs === undefined ? null : this.#clock.monotonicMs() - sinceMs;
  }

  /** The server has confirmed the write. Milliseconds since the change; null = none was waiting. */
  answered(name: DnsName): number | null {
    const waitedMs = this.waiting(name);
    this.#taken.delete(name);
    if (this.#drifted.delete(name) && waitedMs === null)
      this.#corrected.add(name, this.#clock.monotonicMs());
    return waitedMs;
  }
}
