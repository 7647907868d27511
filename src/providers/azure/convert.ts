/**
 * Record sets to what Azure takes, and back: relative names, one list with a form of its own for
 * each type. Pure; decides nothing.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { formatTxt, parseTxtStrings } from "@zonekeeper/dns/rdata/txt";
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  textOf,
} from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { readRdata } from "../shared/dotted-rdata.ts";
import {
  type FieldNames,
  fieldNames,
  fromNamedFields,
  toNamedFields,
} from "../shared/named-fields.ts";
import { countOf } from "../shared/pages.ts";
import { normalizePlain, plainSet } from "../shared/plain-sets.ts";
import { plainTroubles, toProblems } from "../shared/record-troubles.ts";
import { type Flavour, TEXT_BYTES_MAX, VALUES_MAX } from "./flavours.ts";

/**
 * What a record set may follow in place of values (dns.json; the second one since 2023-07-01). It
 * is shown as a property, which nothing desired has.
 */
const FOLLOWED = ["targetResource", "trafficManagementProfile"];
/**
 * The rdata of a type that our version of the API does not describe (DS, NAPTR and TLSA are in
 * 2023-07-01-preview): the record set is seen, and never written.
 */
const UNREAD_RDATA = "\\# 0";
const APEX = "@";

/** How the values of a record set are written. */
interface RecordForm {
  /** As public zones write it. */
  readonly field: string;
  readonly items: FieldNames;
  /** The record set is one record and no list. */
  readonly isSingle: boolean;
}

const form = (field: string, items: string, isSingle = false): RecordForm => ({
  field,
  items: fieldNames(items),
  isSingle,
});
const SOA_FIELDS =
  "host email serialNumber:number refreshTime:number retryTime:number expireTime:number minimumTTL:number";

/** dns.json and privatedns.json: `RecordSetProperties`. TXT has a list of strings. */
const FORMS: Readonly<Record<string, RecordForm>> = {
  A: form("ARecords", "ipv4Address"),
  AAAA: form("AAAARecords", "ipv6Address"),
  CAA: form("caaRecords", "flags:number tag value:text"),
  CNAME: form("CNAMERecord", "cname", true),
  MX: form("MXRecords", "preference:number exchange"),
  NS: form("NSRecords", "nsdname"),
  PTR: form("PTRRecords", "ptrdname"),
  SOA: form("SOARecord", SOA_FIELDS, true),
  SRV: form("SRVRecords", "priority:number weight:number port:number target"),
  TXT: form("TXTRecords", "value"),
};

/** `www` for `www.example.org`, `@` for the apex. */
export function relativeName(name: DnsName, zone: Pick<Zone, "name">): string {
  return name === zone.name ? APEX : name.slice(0, -zone.name.length - 1);
}

/** Null = it is no record set that can be read, or an empty one. */
export function toRecordSet(value: unknown, zone: Pick<Zone, "name">): RecordSet | null {
  const fields = fieldsOf(value);
  const name = textOf(fields["name"]);
  const type = /[^/]*$/.exec(textOf(fields["type"]) ?? "")?.[0].toUpperCase() ?? "";
  if (name === null || type === "") return null;
  const properties = fieldsOf(fields["properties"]);
  const ids = FOLLOWED.map((one) => [one, textOf(fieldsOf(fieldIn(properties, one))["id"])]);
  const followed: Readonly<Record<string, string>> = Object.fromEntries(
    ids.filter(([, id]) => id !== null),
  );
  const found = valuesIn(properties, type);
  const values = found.length === 0 ? Object.values(followed) : found;
  if (values.length === 0) return null;
  const ttl = fieldIn(properties, "ttl");
  const ttlSeconds = countOf(ttl) ?? 0;
  const absolute = name === APEX ? zone.name : trustedDnsName(`${name}.${zone.name}`);
  const set = plainSet({ name: absolute, type, ttlSeconds, values });
  return { ...set, properties: followed };
}

/**
 * True for a record set that has no value and follows nothing: it holds nothing of anybody. Its
 * list must be there and empty: a set that follows what our version does not know shows none
 * (2024-03).
 */
export function isEmptySet(value: unknown, type: string): boolean {
  const { properties } = fieldsOf(value);
  if (!isFields(properties)) return false;
  const records = fieldIn(properties, FORMS[type]?.field ?? "");
  return (
    Array.isArray(records) &&
    records.length === 0 &&
    FOLLOWED.every((name) =>
      Object.values(fieldsOf(fieldIn(properties, name))).every((one) => (one ?? "") === ""),
    )
  );
}

/** Field names differ in capitals between the services, and between their answers. */
function fieldIn(fields: Fields, name: string): unknown {
  const key = Object.keys(fields).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : fields[key];
}

function valuesIn(properties: Fields, type: string): readonly string[] {
  const known = FORMS[type];
  if (known === undefined) return [UNREAD_RDATA];
  const found = fieldIn(properties, known.field);
  const records = known.isSingle ? [found].filter((one) => Boolean(one)) : (listOf(found) ?? []);
  return records.map(fieldsOf).map((record) => rdataOf(record, type, known));
}

function rdataOf(record: Fields, type: string, { items }: RecordForm): string {
  if (type === "TXT") {
    const strings = (listOf(fieldIn(record, "value")) ?? []).map((one) => textOf(one) ?? "");
    return formatTxt(strings.map((one) => new TextEncoder().encode(one)));
  }
  const fields = items.map(([name]) => [name, fieldIn(record, name) ?? ""]);
  return readRdata(type, fromNamedFields(items, Object.fromEntries(fields)) ?? "");
}

/** The body of a PUT. `metadata` is what people wrote beside the set, which a PUT replaces. */
export function fromRecordSet(set: RecordSet, { isPrivate }: Flavour, metadata: Fields): Fields {
  const { field = "", items = [], isSingle = false } = FORMS[set.type] ?? {};
  const records = set.values.map((value) =>
    set.type === "TXT" ? { value: stringsOf(value) ?? [] } : toNamedFields(items, value),
  );
  // `MXRecords` → `mxRecords`.
  const privateField = field.replace(/^[A-Z]+(?=R)/, (letters) => letters.toLowerCase());
  return {
    properties: {
      [isPrivate ? "ttl" : "TTL"]: set.ttlSeconds,
      [isPrivate ? privateField : field]: isSingle ? records[0] : records,
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    },
  };
}

/** The strings of a text; null = one of them is not UTF-8, which JSON cannot hold. */
export function stringsOf(value: string): readonly string[] | null {
  const parsed = parseTxtStrings(value);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return parsed.ok ? parsed.value.map((bytes) => decoder.decode(bytes)) : null;
  } catch {
    return null;
  }
}

/** What people wrote beside the set; empty = nothing. */
export function metadataOf(value: unknown): Fields {
  return fieldsOf(fieldIn(fieldsOf(fieldsOf(value)["properties"]), "metadata"));
}

/** The set as the API will show it. */
export function normalizeSet(set: RecordSet, { capabilities }: Flavour): RecordSet {
  return normalizePlain(set, capabilities.ttl);
}

// What Azure cannot take about a record set, found before planning. Pure.

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone, flavour: Flavour): readonly Problem[] {
  const { vendor, capabilities } = flavour;
  const texts = set.type === "TXT" ? set.values.map(stringsOf) : [];
  const bytes = new TextEncoder().encode(texts.flat().join("")).length;
  const tooLong = `the texts of a record set have at most ${TEXT_BYTES_MAX} bytes; use fewer`;
  return toProblems(
    set,
    plainTroubles(set, zone, { vendor, valuesMax: VALUES_MAX, ...capabilities }),
    [
      texts.includes(null),
      "InvalidValue",
      "a text that is not UTF-8 cannot be written by this API",
    ],
    [bytes > TEXT_BYTES_MAX, "InvalidValue", tooLong],
  );
}
