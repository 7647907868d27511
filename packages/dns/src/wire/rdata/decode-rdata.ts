/** Rdata bytes to canonical presentation text. Trouble goes to the reader; nothing is thrown. */
import { parseRdata } from "../../rdata/index.ts";
import type { RecordType } from "../../rdata/record-type.ts";
import { formatUnknown } from "../../rdata/unknown.ts";
import { WireReader } from "../bytes/wire-reader.ts";
import { WireWriter } from "../bytes/wire-writer.ts";
import { encodeRdata } from "./encode-rdata.ts";
import { RDATA_FIELDS, type RdataField } from "./rdata-fields.ts";
import { EXPANDED_NAMES, RDATA_WIRE_FORMATS, type RdataWireFormat } from "./wire-format.ts";

/**
 * Reads `byteCount` (> 0, or 0 for a type that may be empty) bytes as the rdata of `type`. The
 * reader is after them then. Rdata that is longer or shorter than its fields is trouble, or `\#`
 * text if the type's wire format is lenient; `encodeRdata` gives the same bytes back (names
 * uncompressed, folded where RFC 4034 §6.2 folds them).
 */
export function decodeRdata(reader: WireReader, type: RecordType, byteCount: number): string {
  if (byteCount > reader.left) reader.fail("rdata runs over the end of the message");
  const end = reader.offset + byteCount;
  const text = textUpTo(reader, type, end);
  if (text === null || reader.offset !== end)
    reader.fail(`the rdata of ${type} has a wrong form or length`);
  return reader.trouble === null ? (text ?? "") : "";
}

/** Null = malformed; the reader may have the reason. */
function textUpTo(reader: WireReader, type: RecordType, end: number): string | null {
  const format = RDATA_WIRE_FORMATS.get(type);
  const names = EXPANDED_NAMES.get(type);
  if (names !== undefined) return formatUnknown(expandNames(reader, names));
  const mayPoint = format?.fields.some((field) => field === "name" || field === "plain-name");
  if (format === undefined || mayPoint !== true)
    return decodeAlone(reader.take(end - reader.offset), type, format);
  const text = decodeFields(reader, format.fields, end);
  const isKept = text === null || format.whenWrong === "refuse" || isCanonical(type, text);
  return isKept ? text : opaqueText(type, text);
}

/** Rdata without names that point to another position of the message. Null = malformed. */
function decodeAlone(bytes: Uint8Array, type: RecordType, format?: RdataWireFormat): string | null {
  if (format === undefined) return formatUnknown(bytes);
  const reader = new WireReader(bytes);
  const text = decodeFields(reader, format.fields, bytes.length);
  const isWhole = text !== null && reader.left === 0;
  if (format.whenWrong === "refuse") return isWhole ? text : null;
  const opaque = formatUnknown(bytes);
  return isWhole && isCanonical(type, text) && opaqueText(type, text) === opaque ? text : opaque;
}

/**
 * The model parses the text unchanged: a value without a valid text form is no value of the type.
 */
function isCanonical(type: RecordType, text: string): boolean {
  const parsed = parseRdata(type, text);
  return parsed.ok && parsed.value === text;
}

/** The bytes of `text` as `\# n hex`; null when they cannot be written. */
function opaqueText(type: RecordType, text: string): string | null {
  const writer = new WireWriter();
  return encodeRdata(writer, type, text) ? formatUnknown(writer.finish()) : null;
}

/** Null = some field cannot be read. */
function decodeFields(
  reader: WireReader,
  fields: readonly RdataField[],
  end: number,
): string | null {
  const tokens: string[] = [];
  for (const field of fields) {
    const token = RDATA_FIELDS[field].read(reader, end);
    if (token === null || reader.trouble !== null) return null;
    if (token !== "") tokens.push(token);
  }
  return tokens.join(" ");
}

function expandNames(reader: WireReader, count: number): Uint8Array {
  const writer = new WireWriter();
  for (let index = 0; index < count; index += 1) writer.name(reader.name(), false);
  return writer.finish();
}
