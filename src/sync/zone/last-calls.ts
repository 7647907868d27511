/**
 * What is remembered of the last call of a name, in memory only: that it had no answer, or by which
 * receipt the provider is asked whether all its servers have the change.
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
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

/** Names of one zone at most; of more, the oldest are forgotten. */
const NAMES_MAX = 10_000;

/** Receipts of one zone. */
export class Receipts {
  readonly #byName = new BoundedMap<DnsName, string>(NAMES_MAX);

  /** The last change of the name was made; null = it has no receipt. */
  note(name: DnsName, receipt: string | null): void {
    if (receipt === null) this.#byName.delete(name);
    else this.#byName.set(name, receipt);
  }

  /** Null = nothing is known, or all servers have the change. */
  of(name: DnsName): string | null {
    return this.#byName.get(name) ?? null;
  }

  /** All servers have the change; a later one of the same name stays. */
  done(name: DnsName, receipt: string): void {
    if (this.#byName.get(name) === receipt) this.#byName.delete(name);
  }
}
