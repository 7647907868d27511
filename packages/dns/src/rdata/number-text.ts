/**
 * Numbers and bytes in rdata text: decimal digits only, no signs, units or spaces (RFC 1035 §5.1);
 * hex and base64 (RFC 4034 §2.2, §5.3).
 */
import { fromBase64 } from "@zonekeeper/base/byte-text";
import { fail, ok, type Result } from "@zonekeeper/base/result";

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
