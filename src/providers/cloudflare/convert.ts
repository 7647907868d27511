/**
 * Records of the API to record sets and back. Records of one name and type are one record set.
 * Pure; decides nothing.
 */

import { splitTokens } from "@zonekeeper/dns/rdata/tokens";
import { txtFromText } from "@zonekeeper/dns/rdata/txt";
import { type Fields, fieldsOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { nameFromUnicode, readRdata } from "../shared/dotted-rdata.ts";
import {
  type FieldNames,
  fieldNames,
  fromNamedFields,
  toNamedFields,
} from "../shared/named-fields.ts";
import { countOf } from "../shared/pages.ts";
import { normalizePlain, setsOfValues } from "../shared/plain-sets.ts";
import type { NamedRecord } from "../shared/record-session.ts";
import { plainTroubles, toProblems } from "../shared/record-troubles.ts";
import { capabilitiesOf, LIMITS, type PlanLimits, PROXIABLE_TYPES, valuesMaxOf } from "./limits.ts";

/** `true` = the vendor's proxy answers for the name; absent = the records themselves. */
export const PROXIED = "proxied";

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
interface RecordNotes {
  readonly comment?: string;
  readonly tags?: readonly string[];
}

/** Null = it is no record: there is no id, name or type. */
export function toRecord(value: unknown): NamedRecord<KnownRecord> | null {
  const fields = fieldsOf(value);
  const id = textOf(fields["id"]);
  const name = textOf(fields["name"]);
  const type = textOf(fields["type"])?.toUpperCase() ?? null;
  if (id === null || name === null || type === null) return null;
  const notes = notesOf(fields);
  const ttl = countOf(fields["ttl"]) ?? LIMITS.ttlAutomatic;
  return {
    name: nameFromUnicode(name),
    record: {
      id,
      type,
      value: toValue(type, fields),
      ttlSeconds: ttl > LIMITS.ttlAutomatic ? Math.trunc(ttl) : LIMITS.ttlAutomaticSeconds,
      proxied: fields["proxied"] === true,
      ...(notes === null ? {} : { notes }),
    },
  };
}

function notesOf(fields: Fields): RecordNotes | null {
  const comment = textOf(fields["comment"]);
  const tags = textsOf(fields["tags"]) ?? [];
  if (comment === null && tags.length === 0) return null;
  return {
    ...(comment === null ? {} : { comment }),
    ...(tags.length === 0 ? {} : { tags }),
  };
}

/** Sorted by key. Where one record is proxied all of a set are (docs "Proxy status"). */
export function toRecordSets(records: readonly NamedRecord<KnownRecord>[]): readonly RecordSet[] {
  const values = records.map(({ name, record }) => ({ name, ...record }));
  const proxied = new Set(values.filter((one) => one.proxied).map(nameAndType));
  return setsOfValues(values).map((set) =>
    proxied.has(nameAndType(set))
      ? { ...set, ttlSeconds: LIMITS.ttlAutomaticSeconds, properties: { [PROXIED]: "true" } }
      : set,
  );
}

function nameAndType({ name, type }: Pick<RecordSet, "name" | "type">): string {
  return `${name} ${type}`;
}

/** The record that is to be created for one value of a set. */
export function fromRecord(set: RecordSet, value: string, notes: RecordNotes | null): Fields {
  return {
    name: set.name,
    type: set.type,
    ...fromValue(set.type, value),
    ...attributesOf(set),
    ...(notes ?? {}),
  };
}

/** What all records of a set have in common. */
export function attributesOf(set: RecordSet): Fields {
  const proxied = isProxied(set);
  return {
    ttl: proxied ? LIMITS.ttlAutomatic : set.ttlSeconds,
    ...(PROXIABLE_TYPES.has(set.type) ? { proxied } : {}),
  };
}

/** True for a record whose TTL and proxy status are those of the set. */
export function hasAttributesOf(set: RecordSet, record: KnownRecord): boolean {
  const proxied = isProxied(set);
  return record.proxied === proxied && (proxied || record.ttlSeconds === set.ttlSeconds);
}

function isProxied({ type, properties }: RecordSet): boolean {
  return PROXIABLE_TYPES.has(type) && properties[PROXIED] === "true";
}

// Rdata as the API has it: a text `content` for simple types, named fields in `data` for others
// (API reference, "Create DNS Record"). Numbers may come as text, and fields may be missing: then
// `content` is read.

/** Fields in the order of presentation. `priority` of MX and URI is a field of the record. */
const DATA_FIELDS: Readonly<Record<string, FieldNames>> = {
  CAA: fieldNames("flags:number tag value:text"),
  DS: fieldNames("key_tag:number algorithm:number digest_type:number digest"),
  HTTPS: fieldNames("priority:number target value:rest"),
  NAPTR: fieldNames(
    "order:number preference:number flags:text service:text regex:text replacement",
  ),
  SRV: fieldNames("priority:number weight:number port:number target"),
  SSHFP: fieldNames("algorithm:number type:number fingerprint"),
  SVCB: fieldNames("priority:number target value:rest"),
  TLSA: fieldNames("usage:number selector:number matching_type:number certificate"),
  URI: fieldNames("priority:number weight:number target:text"),
};
/** Of types whose `priority` is a field of the record. */
const PRIORITY_OUTSIDE: ReadonlySet<string> = new Set(["MX", "URI"]);

/** The fields of a record that say this value, which is canonical. */
function fromValue(type: string, value: string): Fields {
  const tokens = splitTokens(value);
  const texts = tokens.ok ? tokens.value : [value];
  if (type === "MX") return { priority: Number(texts[0]), content: texts[1] ?? "" };
  const fields = DATA_FIELDS[type];
  if (fields === undefined) return { content: value };
  const { priority, ...rest } = toNamedFields(fields, value);
  return PRIORITY_OUTSIDE.has(type)
    ? { priority, data: rest }
    : { data: { ...rest, ...(priority === undefined ? {} : { priority }) } };
}

/** Canonical rdata of a record; what cannot be read stays as it is. */
function toValue(type: string, record: Fields): string {
  const data = fieldsOf(record["data"]);
  const fields = { ...data, priority: data["priority"] ?? record["priority"] };
  const text = fromNamedFields(DATA_FIELDS[type] ?? [], fields);
  return readRdata(type, text ?? textFromContent(type, record));
}

function textFromContent(type: string, record: Fields): string {
  const content = textOf(record["content"]) ?? "";
  if (type === "TXT") return content.startsWith('"') ? content : txtFromText(content);
  const hasPriority = record["priority"] !== undefined && record["priority"] !== null;
  const isShort =
    type === "MX" || type === "URI" || (type === "SRV" && !/^\S+\s+\S+\s+\S+\s+\S/.test(content));
  return hasPriority && isShort ? `${String(record["priority"])} ${content}` : content;
}

/** The set as the API will show it. Properties that it cannot have stay, for `audit`. */
export function normalizeSet(set: RecordSet, { ttlSecondsMin }: PlanLimits): RecordSet {
  const ttl = { minSeconds: ttlSecondsMin, maxSeconds: LIMITS.ttlSecondsMax };
  const plain = normalizePlain(set, ttl);
  const { [PROXIED]: proxied, ...others } = plain.properties;
  const properties = proxied === "false" ? others : plain.properties;
  const isAutomatic =
    isProxied({ ...set, properties }) || Math.trunc(set.ttlSeconds) === LIMITS.ttlAutomatic;
  return { ...plain, properties, ...(isAutomatic && { ttlSeconds: LIMITS.ttlAutomaticSeconds }) };
}

// What Cloudflare cannot take about a record set, found before planning. Pure.

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone, limits: PlanLimits): readonly Problem[] {
  const { name, type, values } = set;
  const { [PROXIED]: proxied = "false", ...properties } = set.properties;
  const backEnd = {
    vendor: "Cloudflare",
    valuesMax: valuesMaxOf(limits),
    ...capabilitiesOf(limits),
  };
  const texts = type === "TXT" ? values : [];
  const isFlag = proxied === "true" || proxied === "false";
  const isMisplaced = proxied === "true" && !PROXIABLE_TYPES.has(type);
  return toProblems(
    set,
    plainTroubles({ ...set, properties }, zone, backEnd),
    [name.includes("\\"), "InvalidName", "the name holds bytes that Cloudflare does not take"],
    [type === "NS" && name === zone.name, "InvalidValue", NO_AUTHORITY],
    [!isFlag, "InvalidValue", `the property ${PROXIED} must be true or false`],
    [isMisplaced, "InvalidValue", `the property ${PROXIED} is for A, AAAA and CNAME records only`],
    [values.some(({ length }) => length > LIMITS.contentBytesMax), "InvalidValue", LONG_VALUE],
    [texts.some((one) => /^("" ?)+$/.test(one)), "InvalidValue", EMPTY_TEXT],
    [texts.join("").length > LIMITS.textCharactersMax, "InvalidValue", LONG_TEXTS],
  );
}

const NO_AUTHORITY = "the name servers of the apex are Cloudflare's own";
const LONG_VALUE = `a value has at most ${LIMITS.contentBytesMax} bytes`;
const LONG_TEXTS = `the texts of a name have at most ${LIMITS.textCharactersMax} characters together`;
const EMPTY_TEXT = "Cloudflare takes no empty text; write at least one character";
