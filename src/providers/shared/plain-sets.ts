/** Record sets of back ends that know names, types, TTLs and values alone. Pure. */
import { canonicalValues } from "@zonekeeper/dns/rdata/canonical-values";
import type { RecordSet } from "../../model/record-set.ts";
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
