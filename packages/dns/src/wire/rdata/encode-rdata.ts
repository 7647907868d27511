/**
 * Canonical presentation rdata to bytes (RFC 1035 §3.3, RFC 3597 §5). Text that is not canonical
 * for its type is an error, never a guess.
 */
import { ipv4Bytes } from "../../rdata/a.ts";
import { ipv6Bytes } from "../../rdata/aaaa.ts";
import { nameLabels, rdataNameToDnsName } from "../../rdata/name-text.ts";
import { base64Bytes, hexBytes } from "../../rdata/number-text.ts";
import type { RecordType } from "../../rdata/record-type.ts";
import { splitTokens } from "../../rdata/tokens.ts";
import { isPlainText, parseTxtStrings, stringBytes } from "../../rdata/txt.ts";
import { unknownBytes } from "../../rdata/unknown.ts";
import type { WireWriter } from "../bytes/wire-writer.ts";
import { writeParameters } from "./parameters-field.ts";
import { RDATA_WIRE_FORMATS, type RdataField } from "./wire-format.ts";

const GENERIC = "\\# ";
const QUOTE = 0x22;

/**
 * Writes the rdata of `type` without its length. False = `text` is no rdata of that type; the
 * writer then holds a part of it and must be rolled back.
 */
export function encodeRdata(writer: WireWriter, type: RecordType, text: string): boolean {
  const format = RDATA_WIRE_FORMATS.get(type);
  if (format === undefined) return encodeUnknown(writer, text);
  if (format.whenWrong === "opaque" && text.startsWith(GENERIC)) return encodeUnknown(writer, text);
  if (format.fields[0] === "strings" && encodePlainString(writer, text)) return true;
  const tokens = tokensOf(text);
  if (tokens === null) return false;
  let at = 0;
  for (const [index, field] of format.fields.entries()) {
    const isLast = index === format.fields.length - 1;
    const taken = isLast ? tokens.slice(at) : tokens.slice(at, at + 1);
    if (!encodeField(writer, field, taken)) return false;
    at += taken.length;
  }
  return at === tokens.length;
}

/** Canonical text without quotes has one space between tokens, and no other. */
function tokensOf(text: string): readonly string[] | null {
  if (!text.includes('"')) return text.split(" ");
  const tokens = splitTokens(text);
  return tokens.ok ? tokens.value : null;
}

type FieldEncoder = (writer: WireWriter, token: string) => boolean;

/** Fields of exactly one token. */
const ENCODERS: Readonly<Partial<Record<RdataField, FieldEncoder>>> = {
  ipv4: (writer, token) => encodeBytes(writer, ipv4Bytes(token)),
  ipv6: (writer, token) => encodeBytes(writer, ipv6Bytes(token)),
  u8: (writer, token) => encodeUnsigned(token, 0xff, (value) => writer.u8(value)),
  u16: (writer, token) => encodeUnsigned(token, 0xffff, (value) => writer.u16(value)),
  u32: (writer, token) => encodeUnsigned(token, 0xffff_ffff, (value) => writer.u32(value)),
  seconds: (writer, token) => encodeUnsigned(token, 0xffff_ffff, (value) => writer.u32(value)),
  name: (writer, token) => token !== "" && writer.name(rdataNameToDnsName(token), true),
  "plain-name": (writer, token) => token !== "" && writer.name(rdataNameToDnsName(token), false),
  "kept-name": encodeKeptName,
  string: (writer, token) => encodeCounted(writer, textBytes(token)),
  tag: (writer, token) => encodeCounted(writer, new TextEncoder().encode(token)),
  text: (writer, token) => encodeBytes(writer, textBytes(token)),
  hex: (writer, token) => encodeBytes(writer, hexBytes(token)),
  base64: (writer, token) => encodeBytes(writer, base64Bytes(token)),
};

function encodeField(writer: WireWriter, field: RdataField, tokens: readonly string[]): boolean {
  if (field === "strings") return encodeStrings(writer, tokens.join(" "));
  if (field === "parameters") return writeParameters(writer, tokens);
  const [token, ...more] = tokens;
  if (token === undefined || more.length > 0) return false;
  return ENCODERS[field]?.(writer, token) ?? false;
}

function encodeBytes(writer: WireWriter, bytes: Uint8Array | null): boolean {
  if (bytes === null) return false;
  writer.bytes(bytes);
  return true;
}

/** With a length byte before. */
function encodeCounted(writer: WireWriter, bytes: Uint8Array | null): boolean {
  if (bytes === null || bytes.length > 255) return false;
  writer.u8(bytes.length);
  writer.bytes(bytes);
  return true;
}

function textBytes(token: string): Uint8Array | null {
  const bytes = stringBytes(token);
  return bytes.ok ? bytes.value : null;
}

function encodeUnsigned(token: string, max: number, write: (value: number) => void): boolean {
  const value = /^\d{1,10}$/.test(token) ? Number(token) : Number.NaN;
  if (!(value <= max)) return false;
  write(value);
  return true;
}

/** Not remembered for compression, because the case of its letters is kept. */
function encodeKeptName(writer: WireWriter, token: string): boolean {
  const labels = nameLabels(token);
  if (token === "" || !labels.ok) return false;
  for (const label of labels.value) {
    writer.u8(label.length);
    writer.bytes(label);
  }
  writer.u8(0);
  return true;
}

function encodeStrings(writer: WireWriter, text: string): boolean {
  const strings = parseTxtStrings(text);
  return strings.ok && strings.value.every((string) => encodeCounted(writer, string));
}

/**
 * A single string in quotes without escapes, as markers are. False = it is something else; nothing
 * was written.
 */
function encodePlainString(writer: WireWriter, text: string): boolean {
  const end = text.length - 1;
  if (end < 1 || end > 256 || text.charCodeAt(0) !== QUOTE || text.charCodeAt(end) !== QUOTE)
    return false;
  if (!isPlainText(text.slice(1, end))) return false;
  writer.u8(end - 1);
  writer.latin1(text, 1, end);
  return true;
}

function encodeUnknown(writer: WireWriter, text: string): boolean {
  const bytes = unknownBytes(text);
  return bytes.ok && encodeBytes(writer, bytes.value);
}
