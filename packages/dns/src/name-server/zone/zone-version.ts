/**
 * One version of a zone: immutable, so that a query or a transfer that began on it ends on it.
 * Holds every name that exists, the empty non-terminals too (RFC 4592 §2.2.2). Changes are made by
 * ZoneEdit, never here.
 */
import { invariant } from "@zonekeeper/base/invariant";
import type { DnsName } from "../../names/dns-name.ts";
import type { RecordType } from "../../rdata/rdata-format.ts";
import { parseSoaFields, type SoaFields } from "../../rdata/soa.ts";
import type { ResourceRecord } from "../../wire/message/message.ts";
import type { BucketMap } from "./bucket-map.ts";

/** The records of one type at one name (RFC 9499 "RRset"). */
export interface TypeSet {
  readonly type: RecordType;
  readonly ttlSeconds: number;
  /** Canonical presentation rdata, sorted by code unit, no duplicates, never empty. */
  readonly values: readonly string[];
}

/** A name that exists. Without sets it is an empty non-terminal and has children. */
export interface ZoneNode {
  /** Sorted by type. */
  readonly sets: readonly TypeSet[];
  /** How many names exist directly below. */
  readonly children: number;
}

/** A record set as callers hand it in and read it. */
export interface ZoneRecordSet extends TypeSet {
  readonly name: DnsName;
}

/** One record; fits into messages as it is. IN is the only class that is served. */
export interface ZoneRecord extends ResourceRecord {
  readonly class: "IN";
  readonly data: string;
}

/** An immutable state of a zone; has exactly one SOA at its apex. */
export class ZoneVersion {
  readonly apex: DnsName;
  /** The SOA as a record, for answers and transfers. */
  readonly soaRecord: ZoneRecord;
  readonly soa: SoaFields;
  /** Every name that exists; for ZoneEdit. */
  readonly nodes: BucketMap<DnsName, ZoneNode>;
  /** Number of records, the SOA included. */
  readonly recordCount: number;

  constructor(apex: DnsName, nodes: BucketMap<DnsName, ZoneNode>, recordCount: number) {
    const set = findSet(nodes.get(apex)?.sets ?? [], "SOA");
    const [data = "", ...others] = set?.values ?? [];
    const soa = parseSoaFields(data);
    invariant(
      set !== undefined && soa.ok && others.length === 0,
      "a zone version has exactly one sound SOA at its apex",
    );
    this.apex = apex;
    this.nodes = nodes;
    this.recordCount = recordCount;
    this.soa = soa.value;
    const { ttlSeconds } = set;
    this.soaRecord = { name: apex, type: "SOA", class: "IN", ttlSeconds, data };
  }

  /** The name's node; undefined when the name does not exist. */
  node(name: DnsName): ZoneNode | undefined {
    return this.nodes.get(name);
  }

  /** The record set; undefined when there is none. */
  set(name: DnsName, type: RecordType): TypeSet | undefined {
    return findSet(this.nodes.get(name)?.sets ?? [], type);
  }

  /** All records but the SOA; those of one set follow one another. */
  *records(): Generator<ZoneRecord> {
    for (const [name, node] of this.nodes.entries())
      for (const set of node.sets) if (set.type !== "SOA") yield* recordsOf(name, set);
  }
}

/** The set of a type among the sets of a name. */
export function findSet(sets: readonly TypeSet[], type: RecordType): TypeSet | undefined {
  return sets.find((set) => set.type === type);
}

/** A set as single records, in the order of its values. */
export function recordsOf(name: DnsName, set: TypeSet): readonly ZoneRecord[] {
  const { type, ttlSeconds } = set;
  return set.values.map((data) => ({ name, type, class: "IN", ttlSeconds, data }));
}
