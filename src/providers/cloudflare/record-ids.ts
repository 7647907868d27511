/**
 * The ids of records, which every write names, with what a write must know beside them. Filled by
 * every answer of the API; bounded, so that a name may be missing: it is read then. An id that is
 * out of date is refused by the API.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";

/** One record as the API has it. */
export interface KnownRecord {
  readonly id: string;
  readonly type: string;
  /** Canonical rdata. */
  readonly value: string;
  /** Seconds; an automatic one as what it is. */
  readonly ttlSeconds: number;
  readonly proxied: boolean;
  /** What people wrote beside it; a record that takes its place keeps it. Absent = nothing. */
  readonly notes?: RecordNotes;
}

/** Comment and tags; neither changes an answer of a name server. */
export interface RecordNotes {
  readonly comment?: string;
  readonly tags?: readonly string[];
}

/** One for each session. */
export class RecordIds {
  readonly #recordsMax: number;
  /** By zone id and name; the oldest first. */
  readonly #records = new Map<string, readonly KnownRecord[]>();
  #size = 0;

  constructor(recordsMax: number) {
    this.#recordsMax = recordsMax;
  }

  /** Those that are known of the name; a value that is missing may still exist. */
  at(zoneId: string, name: DnsName): readonly KnownRecord[] {
    return this.#records.get(keyOf(zoneId, name)) ?? [];
  }

  /** Replaces what is known of the name. */
  put(zoneId: string, name: DnsName, records: readonly KnownRecord[]): void {
    this.forget(zoneId, name);
    if (records.length === 0) return;
    this.#records.set(keyOf(zoneId, name), records);
    this.#size += records.length;
    for (const [key, oldest] of this.#records) {
      if (this.#size <= this.#recordsMax) return;
      this.#records.delete(key);
      this.#size -= oldest.length;
    }
  }

  /** What a call became is not known: the name must be read. */
  forget(zoneId: string, name: DnsName): void {
    const key = keyOf(zoneId, name);
    const known = this.#records.get(key);
    if (known === undefined) return;
    this.#records.delete(key);
    this.#size -= known.length;
  }
}

function keyOf(zoneId: string, name: DnsName): string {
  return `${zoneId} ${name}`;
}
