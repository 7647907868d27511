/**
 * Record sets to what Azure takes, and back: relative names, one list with a form of its own for
 * each type. Pure; decides nothing.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { splitTokens } from "@zonekeeper/dns/rdata/tokens";
import { formatTxt, parseTxtStrings } from "@zonekeeper/dns/rdata/txt";
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  numberOf,
  textOf,
} from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { readRdata, withoutDot } from "../shared/dotted-rdata.ts";
import { plainTroubles } from "../shared/plain-audit.ts";
import { normalizePlain, plainSet } from "../shared/plain-sets.ts";
import { toProblems } from "../shared/record-troubles.ts";
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

/** The fields of one record, in the order of its rdata; numbers are sent as such. */
interface RecordForm {
  /** As public zones write it. */
  readonly field: string;
  readonly items: readonly (readonly [name: string, is: "text" | "number"])[];
  /** The record set is one record and no list. */
  readonly isSingle?: true;
}

const text = (name: string): readonly [string, "text"] => [name, "text"];
const number = (name: string): readonly [string, "number"] => [name, "number"];

/** dns.json and privatedns.json: `RecordSetProperties`. TXT has a list of strings. */
const FORMS: Readonly<Record<string, RecordForm>> = {
  A: { field: "ARecords", items: [text("ipv4Address")] },
  AAAA: { field: "AAAARecords", items: [text("ipv6Address")] },
  CAA: { field: "caaRecords", items: [number("flags"), text("tag"), text("value")] },
  CNAME: { field: "CNAMERecord", items: [text("cname")], isSingle: true },
  MX: { field: "MXRecords", items: [number("preference"), text("exchange")] },
  NS: { field: "NSRecords", items: [text("nsdname")] },
  PTR: { field: "PTRRecords", items: [text("ptrdname")] },
  SOA: {
    field: "SOARecord",
    items: [
      text("host"),
      text("email"),
      number("serialNumber"),
      number("refreshTime"),
      number("retryTime"),
      number("expireTime"),
      number("minimumTTL"),
    ],
    isSingle: true,
  },
  SRV: {
    field: "SRVRecords",
    items: [number("priority"), number("weight"), number("port"), text("target")],
  },
  TXT: { field: "TXTRecords", items: [] },
};

/** `www` for `www.example.org`, `@` for the apex. */
export function relativeName(name: DnsName, zone: Pick<Zone, "name">): string {
  return name === zone.name ? APEX : name.slice(0, -zone.name.length - 1);
}

function absoluteName(relative: string, zone: Pick<Zone, "name">): DnsName {
  return relative === APEX ? zone.name : trustedDnsName(`${relative}.${zone.name}`);
}

/** Null = it is no record set that can be read, or an empty one. */
export function toRecordSet(value: unknown, zone: Pick<Zone, "name">): RecordSet | null {
  const fields = fieldsOf(value);
  const name = textOf(fields["name"]);
  const type = /[^/]*$/.exec(textOf(fields["type"]) ?? "")?.[0].toUpperCase() ?? "";
  if (name === null || type === "") return null;
  const properties = fieldsOf(fields["properties"]);
  const followed = followedIn(properties);
  const found = valuesIn(properties, type);
  const values = found.length === 0 ? Object.values(followed) : found;
  if (values.length === 0) return null;
  const ttlSeconds = ttlOf(fieldIn(properties, "ttl"));
  const set = plainSet({ name: absoluteName(name, zone), type, ttlSeconds, values });
  return { ...set, properties: followed };
}

/** Ids by property. */
function followedIn(properties: Fields): Readonly<Record<string, string>> {
  const ids = FOLLOWED.map((name) => [name, textOf(fieldsOf(fieldIn(properties, name))["id"])]);
  return Object.fromEntries(ids.filter(([, id]) => (id ?? "") !== ""));
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

function ttlOf(value: unknown): number {
  return numberOf(value) ?? Number(textOf(value) ?? 0);
}

/** Field names differ in capitals between the services, and between their answers. */
function fieldIn(fields: Fields, name: string): unknown {
  const key = Object.keys(fields).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : fields[key];
}

function valuesIn(properties: Fields, type: string): readonly string[] {
  const form = FORMS[type];
  if (form === undefined) return [UNREAD_RDATA];
  const found = fieldIn(properties, form.field);
  const records = form.isSingle ? [found].filter((one) => Boolean(one)) : (listOf(found) ?? []);
  return records.map(fieldsOf).map((record) => rdataOf(record, type, form));
}

function rdataOf(record: Fields, type: string, { items }: RecordForm): string {
  if (type === "TXT") {
    const strings = (listOf(fieldIn(record, "value")) ?? []).map((one) => textOf(one) ?? "");
    return formatTxt(strings.map((one) => new TextEncoder().encode(one)));
  }
  const texts = items.map(([name]) => {
    const item = fieldIn(record, name);
    return String(numberOf(item) ?? textOf(item) ?? "");
  });
  return readRdata(type, type === "CAA" ? quotedLast(texts) : texts.join(" "));
}

function quotedLast([flags = "", tag = "", value = ""]: readonly string[]): string {
  return `${flags} ${tag} "${value.replace(/["\\]/g, String.raw`\$&`)}"`;
}

/** The body of a PUT. `metadata` is what people wrote beside the set, which a PUT replaces. */
export function fromRecordSet(set: RecordSet, { isPrivate }: Flavour, metadata: Fields): Fields {
  const form = FORMS[set.type];
  const field = form?.field ?? "";
  const records = set.values.map((value) => recordOf(set.type, value, form?.items ?? []));
  return {
    properties: {
      [isPrivate ? "ttl" : "TTL"]: set.ttlSeconds,
      [isPrivate ? privateField(field) : field]: form?.isSingle ? records[0] : records,
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    },
  };
}

/** `MXRecords` → `mxRecords`. */
function privateField(field: string): string {
  return field.replace(/^[A-Z]+(?=R)/, (letters) => letters.toLowerCase());
}

function recordOf(type: string, value: string, items: RecordForm["items"]): Fields {
  if (type === "TXT") return { value: stringsOf(value) ?? [] };
  const tokens = splitTokens(value);
  const texts = tokens.ok ? tokens.value : [];
  return Object.fromEntries(
    items.map(([name, is], index) => {
      const token = plainText(texts[index] ?? "");
      return [name, is === "number" ? Number(token) : token];
    }),
  );
}

/** A token without its quotes. */
function plainText(token: string): string {
  return token.startsWith('"') ? (stringsOf(token)?.[0] ?? "") : token;
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

/** `example.org`; zones are named without a dot, and perhaps with one. */
export function zoneName(name: string): DnsName {
  return withoutDot(name);
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
