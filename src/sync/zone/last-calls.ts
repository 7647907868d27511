/**
 * What is remembered of the last call of a name, in memory only: that it had no answer (and what it creates), or by which
 * receipt the provider is asked whether all its servers have the change.
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { hasSameData, isSameKey, type RecordSet } from "../../model/record-set.ts";
import type { ChangeGroup } from "../../plan/changes.ts";
import { LATE_CALL_MS } from "../../plan/pending.ts";

/** Calls of one name that had no answer. */
interface Unanswered {
  /** Monotonic milliseconds of the last one. */
  readonly atMs: number;
  /** What they create, each once. */
  readonly created: readonly RecordSet[];
}

/** Record sets of one name at most; of more, the oldest are forgotten. */
const CREATED_MAX = 20;

/** The names of one zone. */
export class UnansweredCalls {
  readonly #clock: Clock;
  /** The name with the oldest call first. */
  readonly #calls = new Map<DnsName, Unanswered>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A call about the name ended without an answer. */
  add({ name, changes }: ChangeGroup): void {
    for (const known of this.#calls.keys()) {
      if (this.mayStillLand(known)) break;
      this.#calls.delete(known);
    }
    const created = changes.flatMap((change) => (change.op === "create" ? [change.next] : []));
    const isRepeated = (set: RecordSet): boolean =>
      created.some((one) => isSameKey(one, set) && hasSameData(one, set));
    const earlier = this.#createdAt(name).filter((set) => !isRepeated(set));
    this.#calls.delete(name);
    const atMs = this.#clock.monotonicMs();
    this.#calls.set(name, { atMs, created: [...earlier, ...created].slice(-CREATED_MAX) });
  }

  #createdAt(name: DnsName): readonly RecordSet[] {
    return this.#calls.get(name)?.created ?? [];
  }

  /** Whether such a call about the name may still take effect. */
  mayStillLand(name: DnsName): boolean {
    const atMs = this.#calls.get(name)?.atMs;
    return atMs !== undefined && this.#clock.monotonicMs() - atMs < LATE_CALL_MS;
  }

  /** Whether one of the last such calls creates this record set with other data. */
  createsOtherThan(set: RecordSet): boolean {
    const created = this.#createdAt(set.name);
    return created.some((one) => isSameKey(one, set) && !hasSameData(one, set));
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
