/**
 * Names whose last call had no answer. Such a call may take effect later, when its record was
 * removed again: a back end that does not compare the marker then makes a record without a marker.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { LATE_CALL_MS } from "../../plan/pending.ts";

/** The names of one zone. */
export class UnansweredCalls {
  readonly #clock: Clock;
  /** Monotonic milliseconds of the last one of each name, the oldest first. */
  readonly #atMs = new Map<DnsName, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A call about the name ended without an answer. */
  add(name: DnsName): void {
    for (const [known, atMs] of this.#atMs) {
      if (this.#clock.monotonicMs() - atMs < LATE_CALL_MS) break;
      this.#atMs.delete(known);
    }
    this.#atMs.delete(name);
    this.#atMs.set(name, this.#clock.monotonicMs());
  }

  /** Whether such a call about the name may still take effect. */
  mayStillLand(name: DnsName): boolean {
    const atMs = this.#atMs.get(name);
    return atMs !== undefined && this.#clock.monotonicMs() - atMs < LATE_CALL_MS;
  }
}
