/** Rdata bytes to canonical presentation text. Trouble goes to the reader; nothing is thrown. */
import { base64Text, hexText } from "@zonekeeper/base/byte-text";
import { ipv4Text } from "../../rdata/a.ts";
import { ipv6Text } from "../../rdata/aaaa.ts";
import { parseRdata } from "../../rdata/index.ts";
import { dnsNameToRdataName, keptNameText } from "../../rdata/name-text.ts";
import type { RecordType } from "../../rdata/record-type.ts";
import { formatText } from "../../rdata/tokens.ts";
import { formatTxt } from "../../rdata/txt.ts";
import { formatUnknown } from "../../rdata/unknown.ts";
import { WireReader } from "../bytes/wire-reader.ts";
import { WireWriter } from "../bytes/wire-writer.ts";
import { encodeRdata } from "./encode-rdata.ts";
import { readParameters } from "./parameters-field.ts";
import {
  EXPANDED_NAMES,
  RDATA_WIRE_FORMATS,
  type RdataField,
  type RdataWireFormat,
} from "./wire-format.ts";

const LATIN = new TextDecoder("latin1");

/**
 * Reads `byteCount` (> 0, or 0 for a type that may be empty) bytes as the rdata of `type`. The
 * reader is after them then. Rdata that is longer or shorter than its fields is trouble, or `\#`
 * text if the type's wire format is lenient; `encodeRdata` gives the same bytes back (names
 * uncompressed, folded where RFC 4034 §6.2 folds them).
 */
export function decodeRdata(reader: WireReader, type: RecordType, byteCount: number): string {
  if (byteCount > reader.left) reader.fail("rdata runs over the end of the message");
  const format = RDATA_WIRE_FORMATS.get(type);
  const isAlone = format === undefined ? !EXPANDED_NAMES.has(type) : isSelfContained(format);
  const text = isAlone
    ? decodeAlone(reader.take(byteCount), type, format)
    : decodeInside(reader, type, byteCount);
  if (text === null) reader.fail(`the rdata of ${type} has a wrong form or length`);
  return reader.trouble === null ? (text ?? "") : "";
}

/** No field can point to another position of the message. */
function isSelfContained({ fields }: RdataWireFormat): boolean {
  return !fields.includes("name") && !fields.includes("plain-name");
}

/** Null = malformed, and the wire format refuses it. */
function decodeAlone(
  bytes: Uint8Array,
  type: RecordType,
  format: RdataWireFormat | undefined,
): string | null {
  if (format === undefined) return formatUnknown(bytes);
  const reader = new WireReader(bytes);
  const text = decodeFields(reader, format.fields, bytes.length);
  const isSound = text !== null && reader.trouble === null && reader.left === 0;
  if (format.whenWrong === "refuse") return isSound ? text : null;
  return isSound && isCanonical(type, text) && isSame(bytes, bytesOf(type, text))
    ? text
    : formatUnknown(bytes);
}

/**
 * Rdata with names that may point backwards in the message. Null = malformed; the reader may have
 * the reason.
 */
function decodeInside(reader: WireReader, type: RecordType, byteCount: number): string | null {
  const end = reader.offset + byteCount;
  const format = RDATA_WIRE_FORMATS.get(type);
  const text =
    format === undefined
      ? formatUnknown(expandNames(reader, EXPANDED_NAMES.get(type) ?? 0))
      : decodeFields(reader, format.fields, end);
  if (text === null || reader.trouble !== null || reader.offset !== end) return null;
  if (format?.whenWrong !== "opaque" || isCanonical(type, text)) return text;
  const bytes = bytesOf(type, text);
  return bytes === null ? null : formatUnknown(bytes);
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
    const token = DECODERS[field](reader, end);
    if (token === null || reader.trouble !== null) return null;
    if (token !== "") tokens.push(token);
  }
  return tokens.join(" ");
}

type FieldDecoder = (reader: WireReader, end: number) => string | null;

/** "" = the field adds no token. */
const DECODERS: Readonly<Record<RdataField, FieldDecoder>> = {
  ipv4: (reader) => ipv4Text(reader.take(4)),
  ipv6: (reader) => ipv6Text(reader.take(16)),
  u8: (reader) => String(reader.u8()),
  u16: (reader) => String(reader.u16()),
  u32: (reader) => String(reader.u32()),
  seconds: (reader) => String(reader.u32()),
  name: (reader) => dnsNameToRdataName(reader.name()),
  "plain-name": (reader) => dnsNameToRdataName(reader.name()),
  "kept-name": (reader) => keptNameText(reader.plainLabels()),
  string: (reader) => formatText(reader.take(reader.u8())),
  strings: (reader, end) => decodeStrings(reader, end),
  tag: (reader) => LATIN.decode(reader.take(reader.u8())),
  text: (reader, end) => formatText(reader.take(end - reader.offset)),
  hex: (reader, end) => hexText(reader.take(end - reader.offset)),
  base64: (reader, end) => base64Text(reader.take(end - reader.offset)),
  parameters: (reader, end) => readParameters(reader, end)?.join(" ") ?? null,
};

/** Character-strings up to `end`; none is trouble (RFC 1035 §3.3.14: one or more). */
function decodeStrings(reader: WireReader, end: number): string | null {
  const strings: Uint8Array[] = [];
  while (reader.trouble === null && reader.offset < end) strings.push(reader.take(reader.u8()));
  return strings.length === 0 ? null : formatTxt(strings);
}

function expandNames(reader: WireReader, count: number): Uint8Array {
  const writer = new WireWriter();
  for (let index = 0; index < count; index += 1) writer.name(reader.name(), false);
  return writer.finish();
}
