/**
 * TXT: one or more character-strings of at most 255 bytes. RFC 1035 §3.3.14, §5.1 (quoting).
 * Canonical: each string in double quotes, one space between, `\"` `\\` and `\DDD` for bytes
 * outside 0x20-0x7e.
 */
import { fail, mapOk, ok, type Result } from "@zonekeeper/base/result";
import { readEscape } from "./name-text.ts";
import { RDATA_BYTES_MAX, type RdataFormat } from "./rdata-format.ts";

/** Bytes of one character-string (one length byte, RFC 1035 §3.3). */
export const CHARACTER_STRING_BYTES_MAX = 255;

const BYTE_TEXT: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
  if (byte >= 0x20 && byte <= 0x7e) return String.fromCharCode(byte);
  return `\\${String(byte).padStart(3, "0")}`;
});
const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Canonical text of character-strings given as bytes. */
export function formatTxt(strings: readonly Uint8Array[]): string {
  return strings.map(quoted).join(" ");
}

function quoted(bytes: Uint8Array): string {
  const plain = UTF8.decode(bytes);
  if (isPlainText(plain)) return `"${plain}"`;
  let text = "";
  for (const byte of bytes) text += BYTE_TEXT[byte] ?? "";
  return `"${text}"`;
}

/**
 * Reads strings in quotes, or bare words as zone files allow. Characters outside ASCII count as
 * their UTF-8 bytes.
 */
export function parseTxtStrings(text: string): Result<readonly Uint8Array[]> {
  const strings: Uint8Array[] = [];
  let position = skipSpace(text, 0);
  while (position < text.length) {
    const string = readString(text, position);
    if (!string.ok) return string;
    strings.push(string.value.bytes);
    position = skipSpace(text, string.value.end);
  }
  if (strings.length === 0) return fail('the text is empty; write at least one string, such as ""');
  const trouble = strings.find((string) => string.length > CHARACTER_STRING_BYTES_MAX);
  if (trouble !== undefined)
    return fail(
      `a string has ${trouble.length} bytes; at most ${CHARACTER_STRING_BYTES_MAX} are possible, write several strings`,
    );
  const bytes = strings.reduce((sum, string) => sum + string.length + 1, 0);
  return bytes > RDATA_BYTES_MAX
    ? fail(`the strings have ${bytes} bytes with their lengths; at most ${RDATA_BYTES_MAX} fit`)
    : ok(strings);
}

/** The first position from `from` on without a space or tab. */
export function skipSpace(text: string, from: number): number {
  let position = from;
  while (isSpace(text.charCodeAt(position))) position += 1;
  return position;
}

interface ReadString {
  readonly bytes: Uint8Array;
  readonly end: number;
}

function readString(text: string, start: number): Result<ReadString> {
  const isQuoted = text.charCodeAt(start) === QUOTE;
  const bytes: number[] = [];
  let position = isQuoted ? start + 1 : start;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (code === QUOTE || (!isQuoted && isSpace(code))) break;
    if (code === BACKSLASH) {
      const escaped = readEscape(text, position);
      if (!escaped.ok) return escaped;
      bytes.push(escaped.value.byte);
      position += escaped.value.length;
    } else if (code < 0x80) {
      bytes.push(code);
      position += 1;
    } else {
      const character = String.fromCodePoint(text.codePointAt(position) ?? 0);
      bytes.push(...new TextEncoder().encode(character));
      position += character.length;
    }
  }
  const atQuote = text.charCodeAt(position) === QUOTE;
  if (isQuoted && !atQuote) return fail("a quoted string is not closed; add the missing quote");
  if (!isQuoted && atQuote) return fail('a quote inside a bare word must be written as \\"');
  return ok({ bytes: Uint8Array.from(bytes), end: isQuoted ? position + 1 : position });
}

/** True when every character of the text stands for itself inside a string in quotes. */
export function isPlainText(text: string): boolean {
  return /^[ !#-[\]-~]*$/.test(text);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/**
 * The bytes of exactly one string in quotes or one bare word, of any length: for fields without a
 * length byte.
 */
export function stringBytes(token: string): Result<Uint8Array> {
  const string = readString(token, 0);
  if (!string.ok) return string;
  return string.value.end === token.length && token !== ""
    ? ok(string.value.bytes)
    : fail("write one string in quotes");
}

/**
 * Canonical TXT rdata for free text: UTF-8, cut every 255 bytes; empty text becomes one empty
 * string.
 */
export function txtFromText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const strings: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += CHARACTER_STRING_BYTES_MAX)
    strings.push(bytes.slice(start, start + CHARACTER_STRING_BYTES_MAX));
  return formatTxt(strings.length === 0 ? [bytes] : strings);
}

/**
 * Free text of TXT rdata: the strings joined, read as UTF-8 (bytes that are none become U+FFFD).
 * Null = the text is not TXT rdata.
 */
export function txtToText(rdata: string): string | null {
  const strings = parseTxtStrings(rdata);
  if (!strings.ok) return null;
  const bytes = Uint8Array.from(strings.value.flatMap((string) => [...string]));
  return UTF8.decode(bytes);
}

function parse(text: string): Result<string> {
  return mapOk(parseTxtStrings(text), formatTxt);
}

/** Type 16. */
export const TXT: RdataFormat = { type: "TXT", parse };
