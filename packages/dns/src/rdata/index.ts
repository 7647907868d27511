/**
 * The list of record types with a presentation form of their own, and the one way to read rdata
 * text (RFC 1035 §5.1).
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { fail, type Result } from "@zonekeeper/base/result";
import { A } from "./a.ts";
import { AAAA } from "./aaaa.ts";
import { NAPTR } from "./naptr.ts";
import type { RdataFormat } from "./rdata-format.ts";
import type { RecordType } from "./record-type.ts";
import { ROW_TYPES } from "./row-types.ts";
import { SOA } from "./soa.ts";
import { HTTPS, SVCB } from "./svcb.ts";
import { TXT } from "./txt.ts";
import { parseUnknown, unknownBytes } from "./unknown.ts";

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
  if (format === undefined) return parseUnknown(text);
  return unknownBytes(text).ok
    ? fail(`\\# is for types without a text form (RFC 3597 §5); write the data of ${type} as text`)
    : format.parse(text);
}
