/**
 * Record sets, the nouns of the whole program (RFC 9499 "RRset", plus what providers add to it).
 * Immutable values; values are canonical presentation rdata, sorted, without duplicates.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordType } from "@zonekeeper/dns/rdata/rdata-format";
import type { Provenance } from "./provenance.ts";
import type { TransferRequest } from "./transfer-request.ts";

/** A provider's way to answer differently by client; compared as a whole. */
export interface RoutingPolicy {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** What makes a record set a member of a routing policy. */
export interface PolicyMember {
  /** Never empty. */
  readonly setIdentifier: string;
  readonly routingPolicy: RoutingPolicy;
}

/** What identifies a record set inside a zone. Rights are for this key (Z-7). */
export interface RecordSetKey {
  readonly name: DnsName;
  readonly type: RecordType;
  /** Distinguishes members of one routing policy; null = the plain record set. */
  readonly setIdentifier: string | null;
}

/** One record set as it is, or is to be, in a zone. */
export interface RecordSet extends RecordSetKey {
  /** Seconds, 0 to 2^31-1 (RFC 2181 §8). */
  readonly ttlSeconds: number;
  /** Canonical presentation rdata, sorted by code unit, no duplicates, never empty. */
  readonly values: readonly string[];
  /** Managed provider properties; empty for plain DNS. Keys are the provider's. */
  readonly properties: Readonly<Record<string, string>>;
  readonly routingPolicy: RoutingPolicy | null;
}

/** What a cluster wants at one key. */
export interface DesiredRecordSet extends Omit<RecordSet, "ttlSeconds"> {
  /** Seconds; null = no wish: equal to any current TTL, the zone's default on create (Z-21). */
  readonly ttlSeconds: number | null;
  /** Seconds on create where `ttlSeconds` is null; absent = the zone's default. */
  readonly ttlOnCreate?: number;
  readonly provenance: Provenance;
  /** The owner id it asks for; null = the group's main one. */
  readonly owner: string | null;
  /** Unix milliseconds of the object's creation; decides conflicts (Z-15). */
  readonly createdAtMs: number;
  /** What its object says about handing records over; absent = nothing. */
  readonly transfer?: TransferRequest;
  /**
   * The values are host names whose addresses are to be published, as A and AAAA. Controllers
   * replace such a record set before a zone gets it. Absent = it is as it is to be.
   */
  readonly lookup?: HostLookup;
}

/** How host names are looked up. */
export interface HostLookup {
  /** Seconds between two look-ups of one host. */
  readonly intervalSeconds: number;
}

/** A string that is equal for equal keys. */
export function recordSetKeyText(key: RecordSetKey): string {
  return `${key.name} ${key.type}${key.setIdentifier === null ? "" : ` ${key.setIdentifier}`}`;
}

/** The key alone, of whatever has one. */
export function plainKey({ name, type, setIdentifier }: RecordSetKey): RecordSetKey {
  return { name, type, setIdentifier };
}

/** True for equal name, type and set identifier. */
export function isSameKey(a: RecordSetKey, b: RecordSetKey): boolean {
  return a.name === b.name && a.type === b.type && a.setIdentifier === b.setIdentifier;
}

/**
 * Order by name, type, set identifier: the documented order of every sorted list of record sets.
 */
export function compareKeys(a: RecordSetKey, b: RecordSetKey): number {
  return (
    compareText(a.name, b.name) ||
    compareText(a.type, b.type) ||
    compareText(a.setIdentifier ?? "", b.setIdentifier ?? "")
  );
}

/**
 * Equality of data: values, properties, routing policy; TTL apart (Z-21). Both sides normalized.
 */
export function hasSameData(
  a: Omit<RecordSet, "ttlSeconds">,
  b: Omit<RecordSet, "ttlSeconds">,
): boolean {
  return (
    a.values.length === b.values.length &&
    a.values.every((value, index) => value === b.values[index]) &&
    sameMap(a.properties, b.properties) &&
    a.routingPolicy?.type === b.routingPolicy?.type &&
    sameMap(a.routingPolicy?.parameters ?? {}, b.routingPolicy?.parameters ?? {})
  );
}

function sameMap(
  a: Readonly<Record<string, string>>,
  b: Readonly<Record<string, string>>,
): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** Types whose values of several clusters make one answer. */
export const MERGED_TYPES: ReadonlySet<string> = new Set(["A", "AAAA", "NS"]);

/** In place of a routing policy; no back end has it, and no object may write it. */
export const MERGED = { type: "merged", parameters: {} } as const;

/** What tells the part of this object's cluster apart. */
export function partOf({ cluster }: Provenance): PolicyMember {
  return { setIdentifier: cluster, routingPolicy: MERGED };
}

/** True for the part of a cluster, of data or of its marker. */
export function isPart({ routingPolicy }: Pick<RecordSet, "routingPolicy">): boolean {
  return routingPolicy?.type === MERGED.type;
}

/**
 * Asks a back end about a record set, which knows no parts: it sees that of a part as a plain one.
 */
export function asPlain<T extends Pick<RecordSet, "setIdentifier" | "routingPolicy">>(set: T): T {
  return isPart(set) ? { ...set, setIdentifier: null, routingPolicy: null } : set;
}
