/** Record sets of back ends that know names, types, TTLs and values alone. Pure. */
import { groupedBy } from "@zonekeeper/base/grouped-by";
import { canonicalValues } from "@zonekeeper/dns/rdata/canonical-values";
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
      const ttlSeconds = Math.min(...all.map((one) => one.ttlSeconds));
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
