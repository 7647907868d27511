/**
 * Records of the API to record sets and back, and change groups to one batch. Records of one name
 * and type are one record set. Pure; decides nothing.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { canonicalValues, parseRdata } from "@zonekeeper/dns/rdata/index";
import { parseTxtStrings } from "@zonekeeper/dns/rdata/txt";
import { type Fields, fieldsOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { nameFromUnicode } from "../shared/dotted-rdata.ts";
import { setsOfValues } from "../shared/plain-sets.ts";
import {
  NO_POLICY,
  outsideRow,
  type TroubleRow,
  toProblems,
  troublesIn,
  typeRow,
  valueTroubles,
} from "../shared/record-troubles.ts";
import {
  CONTENT_BYTES_MAX,
  type PlanLimits,
  PROXIABLE_TYPES,
  TEXT_CHARACTERS_MAX,
  TTL_AUTOMATIC,
  TTL_AUTOMATIC_SECONDS,
  TTL_SECONDS_MAX,
  valuesMaxOf,
  WRITABLE_TYPES,
} from "./limits.ts";
import { fromValue, toValue } from "./rdata-fields.ts";

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

/** A record with its name. */
export interface NamedRecord {
  readonly name: DnsName;
  readonly record: KnownRecord;
}

/** Null = it is no record: there is no id, name or type. */
export function toRecord(value: unknown): NamedRecord | null {
  const fields = fieldsOf(value);
  const id = textOf(fields["id"]);
  const name = textOf(fields["name"]);
  const type = textOf(fields["type"])?.toUpperCase() ?? null;
  if (id === null || name === null || type === null) return null;
  const notes = notesOf(fields);
  return {
    name: nameFromUnicode(name),
    record: {
      id,
      type,
      value: toValue(type, fields),
      ttlSeconds: secondsOf(fields["ttl"]),
      proxied: fields["proxied"] === true,
      ...(notes === null ? {} : { notes }),
    },
  };
}

function secondsOf(ttl: unknown): number {
  const seconds = Number(ttl ?? TTL_AUTOMATIC);
  const isAutomatic = !Number.isFinite(seconds) || seconds <= TTL_AUTOMATIC;
  return isAutomatic ? TTL_AUTOMATIC_SECONDS : Math.trunc(seconds);
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
export function toRecordSets(records: readonly NamedRecord[]): readonly RecordSet[] {
  const values = records.map(({ name, record }) => ({ name, ...record }));
  const proxied = new Set(values.filter((one) => one.proxied).map(nameAndType));
  return setsOfValues(values).map((set) =>
    proxied.has(nameAndType(set))
      ? { ...set, ttlSeconds: TTL_AUTOMATIC_SECONDS, properties: { [PROXIED]: "true" } }
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
    ttl: proxied ? TTL_AUTOMATIC : set.ttlSeconds,
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

/** The set as the API will show it. Properties that it cannot have stay, for `audit`. */
export function normalizeSet(set: RecordSet, { ttlSecondsMin }: PlanLimits): RecordSet {
  const properties = set.type === "TXT" ? {} : { ...set.properties };
  if (properties[PROXIED] === "false") delete properties[PROXIED];
  const seconds = Math.trunc(set.ttlSeconds);
  const isAutomatic = isProxied({ ...set, properties }) || seconds === TTL_AUTOMATIC;
  const values = set.values.map((value) => {
    const parsed = parseRdata(set.type, value);
    return parsed.ok ? parsed.value : value;
  });
  return {
    ...set,
    ttlSeconds: isAutomatic
      ? TTL_AUTOMATIC_SECONDS
      : Math.min(Math.max(ttlSecondsMin, seconds), TTL_SECONDS_MAX),
    values: canonicalValues(values),
    properties,
  };
}

// What Cloudflare cannot take about a record set, found before planning. Pure.

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone, limits: PlanLimits): readonly Problem[] {
  const { name, type, ttlSeconds, values } = set;
  const { ttlSecondsMin: least } = limits;
  const valuesMax = valuesMaxOf(limits);
  const isTtl = ttlSeconds >= least && ttlSeconds <= TTL_SECONDS_MAX;
  const isMember = set.setIdentifier !== null || set.routingPolicy !== null;
  const characters = type === "TXT" ? values.join("").length : 0;
  const otherTtl = `the TTL must be from ${least} to ${TTL_SECONDS_MAX} seconds, or 1 for automatic`;
  const noPolicy = `Cloudflare's records have no routing policies; ${NO_POLICY}`;
  const tooMany = `a record set has at most ${valuesMax} values; use fewer`;
  const tooLong = `the texts of a name have at most ${TEXT_CHARACTERS_MAX} characters together`;
  const rows: readonly TroubleRow[] = [
    outsideRow(set, zone),
    [name.includes("\\"), "InvalidName", "the name holds bytes that Cloudflare does not take"],
    [
      type === "NS" && name === zone.name,
      "InvalidValue",
      "the name servers of the apex are Cloudflare's own",
    ],
    typeRow(set, WRITABLE_TYPES),
    [!isTtl && ttlSeconds !== TTL_AUTOMATIC, "InvalidTtl", otherTtl],
    [isMember, "UnsupportedRoutingPolicy", noPolicy],
    [values.length > valuesMax, "TooManyValues", tooMany],
    ...propertyRows(set),
  ];
  return toProblems(
    set,
    [...troublesIn(rows), ...valueTroubles(set, (canonical) => refusedContent(set, canonical))],
    [characters > TEXT_CHARACTERS_MAX, "InvalidValue", tooLong],
  );
}

function propertyRows({ type, properties }: RecordSet): readonly TroubleRow[] {
  const { [PROXIED]: proxied = "false", ...others } = properties;
  const isFlag = proxied === "true" || proxied === "false";
  const isMisplaced = proxied === "true" && !PROXIABLE_TYPES.has(type);
  const onlySome = `the property ${PROXIED} is for A, AAAA and CNAME records only`;
  const noProperty = (name: string): string =>
    `Cloudflare's records have no property ${name}; remove it`;
  return [
    ...Object.keys(others).map(
      (name): TroubleRow => [true, "UnsupportedProperty", noProperty(name)],
    ),
    [!isFlag, "InvalidValue", `the property ${PROXIED} must be true or false`],
    [isMisplaced, "InvalidValue", onlySome],
  ];
}

function refusedContent({ type }: RecordSet, canonical: string): string | null {
  if (canonical.length > CONTENT_BYTES_MAX) return `a value has at most ${CONTENT_BYTES_MAX} bytes`;
  const strings = type === "TXT" ? parseTxtStrings(canonical) : null;
  const isEmpty = strings?.ok === true && strings.value.every(({ length }) => length === 0);
  return isEmpty ? "Cloudflare takes no empty text; write at least one character" : null;
}
