/**
 * Records of the API to record sets and back: one record is one value, and those of one host, type
 * and line are a record set. Pure; decides nothing.
 */
import { groupedBy } from "@zonekeeper/base/grouped-by";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import { formatTxt, parseTxtStrings } from "@zonekeeper/dns/rdata/txt";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import { compareKeys, type RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { nameFromUnicode, readRdata } from "../shared/dotted-rdata.ts";
import { countOf } from "../shared/pages.ts";
import { normalizePlain, setsOfValues } from "../shared/plain-sets.ts";
import { plainTroubles, type TroubleRow, toProblems } from "../shared/record-troubles.ts";
import { capabilitiesOf, LIMITS } from "./limits.ts";

/** The line that answers whoever no other line is for; the only one that is written. */
export const LINE_DEFAULT = "default";
/** The routing policy that other lines are shown with. */
const LINE_POLICY = "line";
/** The host of the apex. */
const APEX = "@";

/** One record as the API has it. */
export interface KnownRecord {
  readonly id: string;
  readonly name: DnsName;
  readonly type: string;
  /** Canonical rdata. */
  readonly value: string;
  readonly ttlSeconds: number;
  readonly line: string;
  /** No name server answers with it. */
  readonly isDisabled: boolean;
}

/** Null = it is no record: there is no id, host or type. */
export function toRecord(item: unknown, zone: DnsName): KnownRecord | null {
  const fields = fieldsOf(item);
  const id = idOf(fields["RecordId"]);
  const [host, type] = [textOf(fields["RR"]), textOf(fields["Type"])?.toUpperCase() ?? null];
  if (id === null || host === null || type === null) return null;
  return {
    id,
    type,
    name: nameFromUnicode(host === APEX ? zone : `${host}.${zone}`),
    value: toValue(type, fields),
    ttlSeconds: countOf(fields["TTL"]) ?? LIMITS.ttlSecondsMin,
    line: textOf(fields["Line"]) ?? LINE_DEFAULT,
    // ENABLE and DISABLE in the description, Enable in its example.
    isDisabled: textOf(fields["Status"])?.toUpperCase() === "DISABLE",
  };
}

/** Ids are texts of digits; one that came as a number counts while it is exact. */
export function idOf(value: unknown): string | null {
  return Number.isSafeInteger(value) ? String(value) : textOf(value);
}

function toValue(type: string, fields: Fields): string {
  const value = textOf(fields["Value"]) ?? "";
  const preference = type === "MX" ? `${countOf(fields["Priority"]) ?? 0} ` : "";
  if (type !== "TXT") return readRdata(type, `${preference}${value.trim()}`);
  // The API takes and shows texts without quotes; who finds some there reads character-strings.
  const quoted = /^"(.*)"$/s.test(value) ? textBytes(value) : null;
  return textRdata(quoted ?? new TextEncoder().encode(value));
}

function textRdata(bytes: Uint8Array): string {
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < Math.max(bytes.length, 1); start += LIMITS.textStringBytes)
    pieces.push(bytes.slice(start, start + LIMITS.textStringBytes));
  return formatTxt(pieces);
}

/** The bytes of TXT rdata, its strings joined; null = it is no TXT rdata. */
function textBytes(value: string): Uint8Array | null {
  const strings = parseTxtStrings(value);
  return strings.ok ? Uint8Array.from(strings.value.flatMap((bytes) => [...bytes])) : null;
}

function textOfRdata(value: string): string | null {
  const bytes = textBytes(value);
  return bytes && new TextDecoder().decode(bytes);
}

/** Sorted by key, without disabled records. */
export function toRecordSets(records: readonly KnownRecord[]): readonly RecordSet[] {
  const enabled = records.filter(({ isDisabled }) => !isDisabled);
  const byLine = groupedBy(enabled, ({ line }) => line);
  const sets = [...byLine].flatMap(([line, found]) => {
    const routingPolicy = { type: LINE_POLICY, parameters: { line } };
    const plain = setsOfValues(found);
    if (line === LINE_DEFAULT) return plain;
    return plain.map((set) => ({ ...set, setIdentifier: line, routingPolicy }));
  });
  return sets.sort(compareKeys);
}

/** What a call that adds or updates a record says of it. */
export function fromValue(
  { name, type, ttlSeconds }: RecordSet,
  value: string,
  zone: DnsName,
): Readonly<Record<string, string>> {
  const [preference = "", exchange = ""] = type === "MX" ? value.split(" ") : [];
  const shown = type === "TXT" ? (textOfRdata(value) ?? value) : value;
  return {
    RR: name === zone ? APEX : name.slice(0, -zone.length - 1),
    Type: type,
    Value: type === "MX" ? exchange : shown,
    TTL: String(ttlSeconds),
    Line: LINE_DEFAULT,
    ...(type === "MX" ? { Priority: preference } : {}),
  };
}

const BLANK = 0x20;

/** The set as the API will show it: the blanks at the end of a text are lost. */
export function normalizeSet(set: RecordSet, ttlSecondsMin: number): RecordSet {
  const plain = normalizePlain(set, capabilitiesOf(ttlSecondsMin).ttl);
  if (set.type !== "TXT") return plain;
  const values = plain.values.map((value) => {
    const bytes = textBytes(value);
    if (bytes === null) return value;
    return textRdata(bytes.slice(0, bytes.findLastIndex((byte) => byte !== BLANK) + 1));
  });
  return { ...plain, values: canonicalValues(values) };
}

// What Alibaba Cloud DNS cannot take about a record set, found before planning. Pure.

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone, ttlSecondsMin: number): readonly Problem[] {
  const { types, ttl } = capabilitiesOf(ttlSecondsMin);
  const backEnd = { vendor: "Alibaba Cloud DNS", types, ttl, valuesMax: LIMITS.valuesMax };
  const isOther = !/^[a-z0-9_.*-]*$/.test(set.name);
  const isAuthority = set.type === "NS" && set.name === zone.name;
  return toProblems(
    set,
    plainTroubles(set, zone, backEnd),
    [isOther, "InvalidValue", OTHER_NAME],
    [isAuthority, "InvalidValue", NO_AUTHORITY],
    ...set.values.flatMap((value) => valueRows(set.type, value)),
  );
}

/** "Host record": letters, digits, `-`, `_`, `*` and `.`. */
const OTHER_NAME = "a name may hold letters, digits, - and _ only; write another name";
const NO_AUTHORITY = "the NS records of the apex are the vendor's own; they cannot be written";

/** The API drops quotes, and changes backslashes (DNSControl, 2025-12-03). */
const KEPT_TEXT = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** What is no rdata of its type is told anyway. */
function valueRows(type: string, value: string): readonly TroubleRow[] {
  const row = (of: string, isSo: boolean, message: string): TroubleRow => {
    return [type === of && isSo, "InvalidValue", message];
  };
  const [preference, exchange] = value.split(" ");
  const isPreference = Number(preference) >= 1 && Number(preference) <= LIMITS.mailPreferenceMax;
  const text = textOfRdata(value) ?? "no text";
  const isLong = text.length > LIMITS.textCharactersMax;
  return [
    row("MX", !isPreference, `an MX preference must be from 1 to ${LIMITS.mailPreferenceMax}`),
    row("MX", exchange === ".", "this API takes no MX record without a host; write a host"),
    row("SRV", value.endsWith(" ."), "this API takes no SRV record without a target; write a host"),
    row("TXT", text === "", "this API takes no empty text; write at least one character"),
    row("TXT", isLong, `a text has at most ${LIMITS.textCharactersMax} characters`),
    row("TXT", !isLong && !KEPT_TEXT.test(text), OTHER_TEXT),
  ];
}

const OTHER_TEXT =
  "this API keeps texts of ASCII letters, digits and signs without quotes and backslashes; write another text";
