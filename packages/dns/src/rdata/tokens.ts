/**
 * Words of rdata text (RFC 1035 §5.1): split at spaces and tabs outside quotes, escapes left as
 * they stand. The record types decide what a word means. Numbers have decimal digits only, no
 * signs, units or spaces; bytes are hex or base64 (RFC 4034 §2.2, §5.3).
 */
import { fromBase64 } from "@zonekeeper/base/bytes";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { formatTxt, parseTxtStrings, skipSpace, stringBytes } from "./txt.ts";

const BACKSLASH = "\\";
const QUOTE = '"';

/**
 * The words of a text, quotes and escapes included: `0 issue "a b"` has three. A closing quote ends
 * a quoted word.
 */
export function splitTokens(text: string): Result<readonly string[]> {
  const tokens: string[] = [];
  let position = skipSpace(text, 0);
  while (position < text.length) {
    const end = tokenEnd(text, position);
    if (end === null) return fail("a quoted string is not closed; add the missing quote");
    tokens.push(text.slice(position, end));
    position = skipSpace(text, end);
  }
  return ok(tokens);
}

/**
 * Index behind the word that begins at `start`; null = a quote stays open. Quotes may begin inside:
 * `alpn="h2"`.
 */
function tokenEnd(text: string, start: number): number | null {
  let inQuotes = false;
  let position = start;
  while (position < text.length) {
    const character = text[position];
    if (character === BACKSLASH) position += 1;
    else if (character === QUOTE) {
      if (inQuotes) return position + 1;
      inQuotes = true;
    } else if (!inQuotes && (character === " " || character === "\t")) return position;
    position += 1;
  }
  return inQuotes ? null : Math.min(position, text.length);
}

/**
 * One character-string (RFC 1035 §3.3) as bytes, at most 255; `field` names it, e.g. `the flags`.
 */
export function parseString(token: string, field: string): Result<Uint8Array> {
  const strings = parseTxtStrings(token);
  if (!strings.ok) return fail(`${field}: ${strings.error}`);
  const [string, ...more] = strings.value;
  return string === undefined || more.length > 0
    ? fail(`${field} must be one string in quotes`)
    : ok(string);
}

/**
 * A word or quoted text of any length as bytes: fields that run to the end of the rdata (CAA's
 * value, URI's target).
 */
export function parseText(token: string, field: string): Result<Uint8Array> {
  const bytes = stringBytes(token);
  return bytes.ok ? bytes : fail(`${field}: ${bytes.error}`);
}

/** Bytes in quotes; the canonical form of strings and texts. */
export function formatText(bytes: Uint8Array): string {
  return formatTxt([bytes]);
}

/** Reads 0 to `max`; `field` names it in the message, e.g. `the preference`. */
export function parseUnsigned(text: string, max: number, field: string): Result<number> {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return value <= max ? ok(value) : fail(`${field} must be a whole number from 0 to ${max}`);
}

/** The bytes of hex text, or null when it is none. */
export function hexBytes(hex: string): Uint8Array | null {
  if (!/^(?:[0-9a-f]{2})+$/i.test(hex)) return null;
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  );
}

/** The bytes of base64 text; null = it is none, or empty. */
export function base64Bytes(text: string): Uint8Array | null {
  if (text === "" || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  return fromBase64(text);
}
