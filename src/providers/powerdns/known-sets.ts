/**
 * What was last read or written at names: a PATCH replaces whole record sets, so that it must name
 * the values that are to stay. Bounded; a name that is missing is read. What is out of date is
 * corrected by the reading right before each call.
 */
import type { DnsName } from "../../model/dns-name.ts";
import type { RecordSet } from "../../model/record-set.ts";

/** One for each session. */
export class KnownSets {
  readonly #namesMax: number;
  /** By zone id and name; the oldest first. */
  readonly #sets = new Map<string, readonly RecordSet[]>();

  constructor(namesMax: number) {
    this.#namesMax = namesMax;
  }

  /** All record sets of the name; null = the name must be read. */
  at(zoneId: string, name: DnsName): readonly RecordSet[] | null {
    return this.#sets.get(`${zoneId} ${name}`) ?? null;
  }

  /** Empty = the name has no record set. */
  put(zoneId: string, name: DnsName, sets: readonly RecordSet[]): void {
    const key = `${zoneId} ${name}`;
    this.#sets.delete(key);
    this.#sets.set(key, sets);
    for (const oldest of this.#sets.keys()) {
      if (this.#sets.size <= this.#namesMax) return;
      this.#sets.delete(oldest);
    }
  }

  /** What a call became is not known. */
  forget(zoneId: string, name: DnsName): void {
    this.#sets.delete(`${zoneId} ${name}`);
  }
}
