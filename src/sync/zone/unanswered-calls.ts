/**
 * Names of which a call had no answer. It may take effect later, when its record is gone again: a
 * back end that does not compare the marker then makes a record without one.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { LATE_CALL_MS } from "../../plan/pending.ts";

/** Memory of one zone. */
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

  /** Whether one about the name may still take effect. */
  mayStillLand(name: DnsName): boolean {
    const atMs = this.#atMs.get(name);
    return atMs !== undefined && this.#clock.monotonicMs() - atMs < LATE_CALL_MS;
  }
}
