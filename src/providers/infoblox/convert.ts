/**
 * Objects of WAPI to records and record sets and back. There is one object for each value; objects
 * of one name and type are one record set. Pure; decides nothing.
 */
import { parseTxtStrings } from "@zonekeeper/dns/rdata/txt";
import { type Fields, fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { nameFromUnicode, readRdata } from "../shared/dotted-rdata.ts";
import { fromNamedFields, toNamedFields } from "../shared/named-fields.ts";
import { countOf } from "../shared/pages.ts";
import { normalizePlain, setsOfValues } from "../shared/plain-sets.ts";
import type { NamedRecord } from "../shared/record-session.ts";
import { plainTroubles, toProblems } from "../shared/record-troubles.ts";
import { CAPABILITIES, TEXT_BYTES_MAX, VALUES_MAX } from "./limits.ts";
import { HOST_OBJECT, OBJECT_OF, type RecordObject } from "./objects.ts";

/** One value as the Grid has it. */
export interface KnownRecord {
  /** `_ref`, which each write names. */
  readonly ref: string;
  readonly type: string;
  /** Canonical rdata. */
  readonly value: string;
  readonly ttlSeconds: number;
  /** `readOnly`: it is shown and never written. `disabled`: no name server answers with it. */
  readonly state: "plain" | "readOnly" | "disabled";
}

/** The records that an object is; null = it is no whole object. */
export function toRecords(
  kind: RecordObject,
  value: unknown,
  ttlSecondsDefault: number,
): readonly NamedRecord<KnownRecord>[] | null {
  const fields = fieldsOf(value);
  const [ref, name] = [textOf(fields["_ref"]), textOf(fields["name"])];
  if (ref === null || name === null) return null;
  const state = fields["disable"] === true ? "disabled" : kind.isReadOnly ? "readOnly" : "plain";
  // Without one of its own the record has the TTL of its zone.
  const hasTtl = fields["use_ttl"] !== false;
  const ttlSeconds = (hasTtl ? countOf(fields["ttl"]) : null) ?? ttlSecondsDefault;
  const values =
    kind.object === HOST_OBJECT
      ? hostValues(fields)
      : [[kind.type, fromNamedFields(kind.form, fields) ?? ""] as const];
  return values.map(([type, text]) => ({
    name: nameFromUnicode(name),
    record: { ref, type, value: readRdata(type, text), ttlSeconds, state },
  }));
}

function hostValues(host: Fields): readonly (readonly [type: string, text: string])[] {
  if (host["configure_for_dns"] === false) return [];
  const addresses = (list: string, field: string): readonly string[] =>
    (listOf(host[list]) ?? []).flatMap((one) => textOf(fieldsOf(one)[field]) ?? []);
  return [
    ...addresses("ipv4addrs", "ipv4addr").map((address) => ["A", address] as const),
    ...addresses("ipv6addrs", "ipv6addr").map((address) => ["AAAA", address] as const),
  ];
}

/** Sorted by key, without disabled records. */
export function toRecordSets(records: readonly NamedRecord<KnownRecord>[]): readonly RecordSet[] {
  const enabled = records.filter(({ record }) => record.state !== "disabled");
  return setsOfValues(enabled.map(({ name, record }) => ({ name, ...record })));
}

/** The object to create for one value of a set, and what it will be. */
export function toObject({ type, ttlSeconds }: RecordSet, value: string): Fields {
  const form = OBJECT_OF.get(type)?.form ?? [];
  return { ...toNamedFields(form, value), ttl: ttlSeconds, use_ttl: true };
}

/** The set as WAPI will show it. */
export function normalizeSet(set: RecordSet): RecordSet {
  return normalizePlain(set, CAPABILITIES.ttl);
}

// What Infoblox cannot take about a record set, found before planning. Pure.

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone): readonly Problem[] {
  const sizes = set.type === "TXT" ? set.values.flatMap(sizeOf) : [];
  return toProblems(
    set,
    plainTroubles(set, zone, { vendor: "Infoblox", valuesMax: VALUES_MAX, ...CAPABILITIES }),
    [sizes.includes(0), "InvalidValue", EMPTY],
    [sizes.some((size) => size > TEXT_BYTES_MAX), "InvalidValue", LONG],
  );
}

const EMPTY = "Infoblox takes no empty text; write at least one character";
const LONG = `a text of Infoblox has at most ${TEXT_BYTES_MAX} bytes`;

/** Bytes of all its strings together. */
function sizeOf(value: string): readonly number[] {
  const strings = parseTxtStrings(value);
  return strings.ok ? [strings.value.reduce((sum, { length }) => sum + length, 0)] : [];
}
