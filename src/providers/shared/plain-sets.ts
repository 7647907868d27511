/**
 * Record sets of back ends that know names, types, TTLs and values alone, and the apex that some of
 * them do not show. Pure.
 */
import { groupedBy } from "@zonekeeper/base/grouped-by";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import { compareKeys, type RecordSet } from "../../model/record-set.ts";
import type { Capabilities } from "../provider.ts";
import { readRdata } from "./dotted-rdata.ts";

/** What such a back end tells of a record set. */
export type PlainFields = Pick<RecordSet, "name" | "type" | "ttlSeconds" | "values">;

/** As it was read; values in any order. */
export function plainSet({ name, type, ttlSeconds, values }: PlainFields): RecordSet {
  return {
    name,
    type,
    setIdentifier: null,
    ttlSeconds,
    values: canonicalValues(values),
    properties: {},
    routingPolicy: null,
  };
}

/** One value, with what its record set is told by. */
export interface PlainValue extends Omit<PlainFields, "values"> {
  readonly value: string;
}

/** Sorted by key. Where TTLs of one name and type differ the least one counts (RFC 2181 §5.2). */
export function setsOfValues(values: readonly PlainValue[]): readonly RecordSet[] {
  const byKey = groupedBy(values, ({ name, type }) => `${name} ${type}`);
  const sets = [...byKey.values()].flatMap((all) =>
    all.slice(0, 1).map(({ name, type }) => {
      const ttlSeconds = all.reduce((least, one) => Math.min(least, one.ttlSeconds), Infinity);
      return plainSet({ name, type, ttlSeconds, values: all.map(({ value }) => value) });
    }),
  );
  return sets.sort(compareKeys);
}

/**
 * The set as the back end will show it. Properties, which it does not have, stay for `audit`; a
 * marker has those of its data, where they mean nothing.
 */
export function normalizePlain(
  set: RecordSet,
  { minSeconds, maxSeconds }: Capabilities["ttl"],
): RecordSet {
  const values = set.values.map((value) => readRdata(set.type, value));
  return {
    ...set,
    ttlSeconds: Math.min(Math.max(minSeconds, Math.trunc(set.ttlSeconds)), maxSeconds),
    values: canonicalValues(values),
    properties: set.type === "TXT" ? {} : set.properties,
  };
}

// SOA and NS of an apex whose API shows neither: made of the name servers of the zone.

/** What the vendor's servers answer. */
export interface MadeApex {
  /** Empty = the vendor does not answer for the zone. */
  readonly nameServers: readonly string[];
  readonly nsTtlSeconds: number;
  readonly soaTtlSeconds: number;
  /** Mailbox, serial (0: it is not told) and times of the SOA. */
  readonly soaRest: string;
}

/** NS records of other vendors at the apex are among its own. */
export function withApex(
  sets: readonly RecordSet[],
  name: DnsName,
  { nameServers, nsTtlSeconds, soaTtlSeconds, soaRest }: MadeApex,
): readonly RecordSet[] {
  const [first] = nameServers;
  if (first === undefined) return sets;
  const listed = sets.find(
    (set) => set.name === name && set.type === "NS" && set.setIdentifier === null,
  );
  const servers = [...nameServers, ...(listed?.values ?? [])];
  const soa = [`${first} ${soaRest}`];
  return [
    ...sets.filter((set) => set !== listed),
    plainSet({ name, type: "NS", ttlSeconds: nsTtlSeconds, values: servers }),
    plainSet({ name, type: "SOA", ttlSeconds: soaTtlSeconds, values: soa }),
  ];
}
