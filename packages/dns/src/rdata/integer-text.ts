/**
 * Unsigned integers and words in rdata text (RFC 1035 §5.1). Decimal digits only; no signs, units
 * or spaces.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";

/** Reads 0 to `max`; `field` names it in the message, e.g. `the preference`. */
export function parseUnsigned(text: string, max: number, field: string): Result<number> {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return value <= max ? ok(value) : fail(`${field} must be a whole number from 0 to ${max}`);
}

/** Splits on spaces and tabs; fails unless there are exactly `fields.length` words. */
export function splitFields(text: string, fields: readonly string[]): Result<readonly string[]> {
  const tokens = text.trim().split(/[ \t]+/);
  return tokens.length === fields.length && tokens[0] !== ""
    ? ok(tokens)
    : fail(`write ${fields.length} values: ${fields.join(" ")}`);
}
