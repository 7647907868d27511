/**
 * Record sets of Designate to ours and back: dotted names, texts cut as the API wants them. Pure;
 * decides nothing.
 */
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import { type Fields, fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { recutText } from "../shared/cut-text.ts";
import { dottedRdata, readRdata, withDot, withoutDot } from "../shared/dotted-rdata.ts";
import { countOf } from "../shared/pages.ts";
import { normalizePlain, plainSet } from "../shared/plain-sets.ts";
import { plainTroubles, toProblems } from "../shared/record-troubles.ts";
import { CAPABILITIES, TEXT_CHARACTERS_MAX } from "./limits.ts";

/** Null = it is no record set, an empty one, or one that is on its way out. */
export function toRecordSet(value: unknown, zoneTtlSeconds: number): RecordSet | null {
  const fields = fieldsOf(value);
  const [name, type] = [textOf(fields["name"]), textOf(fields["type"])];
  const records = (listOf(fields["records"]) ?? []).flatMap((one) => textOf(one) ?? []);
  if (name === null || type === null || records.length === 0) return null;
  if (fields["action"] === "DELETE") return null;
  const values = records.map((record) => readRdata(type, record));
  // Null = the zone's own, which may come as text.
  const ttl = countOf(fields["ttl"]) ?? zoneTtlSeconds;
  return plainSet({ name: withoutDot(name), type, ttlSeconds: ttl, values });
}

/** The body that creates a record set. */
export function creationOf(set: RecordSet): Fields {
  return { name: withDot(set.name), type: set.type, ...updateOf(set) };
}

/** The body that changes one; the API refuses its name and type. */
export function updateOf({ type, ttlSeconds, values }: RecordSet): Fields {
  return {
    ttl: ttlSeconds,
    records: values.map((value) => (type === "CAA" ? caaOf(value) : dottedRdata(type, value))),
  };
}

/** `0 issue "ca.example"` as the API wants it: without quotes. */
export function caaOf(value: string): string {
  return value.replace(/"(.*)"$/, "$1");
}

/**
 * The set as the API will show it. It refuses several strings in a short text, and strings of more
 * than 255 characters with their quotes and escapes.
 */
export function normalizeSet(set: RecordSet): RecordSet {
  const plain = normalizePlain(set, CAPABILITIES.ttl);
  if (set.type !== "TXT") return plain;
  const values = plain.values.map((value) => recutText(value, TEXT_CHARACTERS_MAX));
  return { ...plain, values: canonicalValues(values) };
}

// What Designate cannot take about a record set, found before planning. Pure.

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone): readonly Problem[] {
  const { name, type, values } = set;
  const isAuthority = type === "NS" && name === zone.name;
  const isCut = type === "CAA" && !values.every((one) => CAA_SERVED.test(caaOf(one)));
  return toProblems(
    set,
    plainTroubles(set, zone, { vendor: "Designate", ...CAPABILITIES }),
    [isAuthority, "InvalidValue", NO_AUTHORITY],
    [isCut, "InvalidValue", CUT_VALUE],
  );
}

/** "Updating a root zone NS record is not allowed". */
const NO_AUTHORITY = "the NS records of the apex are the server's own; they cannot be written";
/** The value is sent without quotes, and served up to a semicolon only. */
const CAA_SERVED = /^\d+ \w+ [^\s;"\\]+$/;
const CUT_VALUE = "this API takes no CAA value with blanks, quotes or semicolons, and no empty one";
