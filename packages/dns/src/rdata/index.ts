/**
 * The list of record types with a presentation form of their own, and the one way to read rdata
 * text (RFC 1035 §5.1): data of any other type is `\# <bytes> <hex>` (RFC 3597 §5).
 */
import { hexText } from "@zonekeeper/base/bytes";
import { compareText } from "@zonekeeper/base/compare-text";
import { fail, mapOk, ok, type Result } from "@zonekeeper/base/result";
import { A, AAAA } from "./addresses.ts";
import { NAPTR } from "./naptr.ts";
import { RDATA_BYTES_MAX, type RdataFormat, type RecordType } from "./rdata-format.ts";
import { ROW_TYPES } from "./row-types.ts";
import { SOA } from "./soa.ts";
import { HTTPS, SVCB } from "./svcb.ts";
import { hexBytes } from "./tokens.ts";
import { TXT } from "./txt.ts";

/** One entry a type, sorted by type. */
export const RDATA_FORMATS: readonly RdataFormat[] = [
  ...ROW_TYPES,
  ...[A, AAAA, HTTPS, NAPTR, SOA, SVCB, TXT],
].sort((a, b) => compareText(a.type, b.type));

const BY_TYPE: ReadonlyMap<RecordType, RdataFormat> = new Map(
  RDATA_FORMATS.map((format) => [format.type, format]),
);

/**
 * Canonical presentation rdata of `type` (upper case), or what is wrong with the text and what
 * would be right. Names come out absolute, lower case (but for SVCB and HTTPS), without trailing
 * dot; types that are not listed take `\# n hex`.
 */
export function parseRdata(type: RecordType, text: string): Result<string> {
  const format = BY_TYPE.get(type);
  const unknown = unknownBytes(text);
  if (format === undefined) return mapOk(unknown, formatUnknown);
  return unknown.ok
    ? fail(`\\# is for types without a text form (RFC 3597 §5); write the data of ${type} as text`)
    : format.parse(text);
}

/** The values of a record set in the one order in which they are kept: sorted, none twice. */
export function canonicalValues(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort(compareText);
}

/** Canonical text: `\# 2 abcd`; `\# 0` for no bytes. */
export function formatUnknown(bytes: Uint8Array): string {
  return bytes.length === 0 ? "\\# 0" : `\\# ${bytes.length} ${hexText(bytes)}`;
}

/** The bytes of `\# <bytes> <hex>`; the hex may be broken by spaces. */
export function unknownBytes(text: string): Result<Uint8Array> {
  const match = /^\\#[ \t]+(\d{1,5})((?:[ \t]+[0-9a-f]+)*)$/i.exec(text.trim());
  if (match === null) return fail("write the data as \\# <number of bytes> <hex digits>");
  const count = Number(match[1]);
  const hex = (match[2] ?? "").replaceAll(/[ \t]/g, "");
  if (hex.length !== 2 * count)
    return fail(`\\# ${count} needs ${2 * count} hex digits, but has ${hex.length}`);
  if (count > RDATA_BYTES_MAX) return fail(`at most ${RDATA_BYTES_MAX} bytes fit into a record`);
  return ok(hexBytes(hex) ?? new Uint8Array(0));
}
