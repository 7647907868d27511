/** Rdata bytes to canonical presentation text. Trouble goes to the reader; nothing is thrown. */
import { formatUnknown, parseRdata } from "../../rdata/index.ts";
import type { RecordType } from "../../rdata/rdata-format.ts";
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
  if (format === undefined) return decodeUnknown(reader, type, end);
  const { fields, whenWrong } = format;
  // Names may point to another position of the message.
  const hasNames = fields.includes("name") || fields.includes("plain-name");
  if (!hasNames) return decodeAlone(reader.take(end - reader.offset), type, format);
  const text = decodeFields(reader, fields, end);
  if (text === null || whenWrong === "refuse" || isCanonical(type, text)) return text;
  const bytes = bytesOf(type, text);
  return bytes === null ? null : formatUnknown(bytes);
}

function decodeUnknown(reader: WireReader, type: RecordType, end: number): string {
  const names = EXPANDED_NAMES.get(type);
  if (names === undefined) return formatUnknown(reader.take(end - reader.offset));
  const writer = new WireWriter();
  for (let index = 0; index < names; index += 1) writer.name(reader.name(), false);
  return formatUnknown(writer.finish());
}

/** Null = malformed, and the wire format refuses it. */
function decodeAlone(bytes: Uint8Array, type: RecordType, format: RdataWireFormat): string | null {
  const reader = new WireReader(bytes);
  const text = decodeFields(reader, format.fields, bytes.length);
  const isWhole = text !== null && reader.left === 0;
  if (format.whenWrong === "refuse") return isWhole ? text : null;
  return isWhole && isCanonical(type, text) && isSame(bytes, bytesOf(type, text))
    ? text
    : formatUnknown(bytes);
}

/**
 * The model parses the text unchanged: a value without a valid text form is no value of the type.
 */
function isCanonical(type: RecordType, text: string): boolean {
  const parsed = parseRdata(type, text);
  return parsed.ok && parsed.value === text;
}

function bytesOf(type: RecordType, text: string): Uint8Array | null {
  const writer = new WireWriter();
  return encodeRdata(writer, type, text) ? writer.finish() : null;
}

function isSame(a: Uint8Array, b: Uint8Array | null): boolean {
  return b !== null && a.length === b.length && a.every((byte, index) => byte === b[index]);
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
