/**
 * Rows of unsigned integers and bytes in hex or base64: what the newer record types share (RFC 4034
 * §2.2, §5.3).
 */
import { base64Text, fromBase64 } from "@zonekeeper/base/byte-text";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { parseUnsigned } from "./integer-text.ts";

/** One number of a row. */
export interface NumberField {
  /** As the message names it: `the usage`. */
  readonly name: string;
  readonly max: number;
  /** Other spellings than digits; absent = none. */
  readonly parse?: (token: string) => Result<number>;
}

/** A field of one byte. */
export function uint8Field(name: string): NumberField {
  return { name, max: 255 };
}

/** A field of two bytes. */
export function uint16Field(name: string): NumberField {
  return { name, max: 65_535 };
}

/** Reads a number for each field from the first words. */
export function parseNumbers(
  tokens: readonly string[],
  fields: readonly NumberField[],
): Result<readonly number[]> {
  const numbers: number[] = [];
  for (const [index, { name, max, parse }] of fields.entries()) {
    const token = tokens[index] ?? "";
    const number = parse === undefined ? parseUnsigned(token, max, name) : parse(token);
    if (!number.ok) return number;
    numbers.push(number.value);
  }
  return ok(numbers);
}

/**
 * Lower-case hex of words that may be broken anywhere; at least one byte. `field` names it: `the
 * digest`.
 */
export function parseHex(tokens: readonly string[], field: string): Result<string> {
  const hex = tokens.join("").toLowerCase();
  return hex.length > 0 && /^(?:[0-9a-f]{2})+$/.test(hex)
    ? ok(hex)
    : fail(`${field} must be an even number of hex digits`);
}

/** The bytes of hex that `parseHex` gave, or null when it is none. */
export function hexBytes(hex: string): Uint8Array | null {
  if (!/^(?:[0-9a-f]{2})+$/i.test(hex)) return null;
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  );
}

/**
 * Canonical base64 (RFC 4648 §4) of words that may be broken anywhere; at least one byte, bits
 * beyond the end zero.
 */
export function parseBase64(tokens: readonly string[], field: string): Result<string> {
  const bytes = base64Bytes(tokens.join(""));
  return bytes === null
    ? fail(`${field} must be base64, with = at its end where needed`)
    : ok(base64Text(bytes));
}

/** The bytes of base64 text; null = it is none, or empty. */
export function base64Bytes(text: string): Uint8Array | null {
  if (text === "" || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  return fromBase64(text);
}

/** Fails when a digest of a known kind has another length; `hex` is from `parseHex`. */
export function digestTrouble(hex: string, bytes: number | undefined): string | null {
  if (bytes === undefined || hex.length === 2 * bytes) return null;
  return `the digest has ${hex.length / 2} bytes; this type of digest has ${bytes} (${2 * bytes} hex digits)`;
}
