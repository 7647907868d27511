/**
 * Record types whose rdata text is a row of fields, one word each (RFC 1035 §5.1). Only the last
 * field may be broken into several words (RFC 4034 §2.2).
 */
import { base64Text } from "@zonekeeper/base/bytes";
import { fail, mapOk, ok, type Result } from "@zonekeeper/base/result";
import { parseRdataName } from "./name-text.ts";
import type { RdataFormat } from "./rdata-format.ts";
import {
  base64Bytes,
  formatText,
  hexBytes,
  parseString,
  parseText,
  parseUnsigned,
  splitTokens,
} from "./tokens.ts";

/** One field of a row. */
export interface Field {
  /** The field's name in the message about a wrong number of values: `key-tag`. */
  readonly shown: string;
  /** True = the last field, which takes all words that are left, joined. */
  readonly isLong?: true;
  /** Canonical text of the word, or what is wrong. */
  parse(token: string): Result<string>;
}

/**
 * Checks the fields together, after each was parsed. The answer says what is wrong; null = nothing.
 */
export type RowTrouble = (values: readonly string[]) => string | null;

/** The format of a type with these fields. */
export function rowFormat(
  type: string,
  fields: readonly Field[],
  trouble: RowTrouble = () => null,
): RdataFormat {
  const usage = fields.map(({ shown }) => shown).join(" ");
  const isLong = fields.at(-1)?.isLong === true;
  return {
    type,
    parse: (text) => {
      const tokens = splitTokens(text.trim());
      if (!tokens.ok) return tokens;
      const count = tokens.value.length;
      if (isLong ? count < fields.length : count !== fields.length)
        return fail(`the data has ${count} values; write ${fields.length}: ${usage}`);
      const values: string[] = [];
      for (const [index, field] of fields.entries()) {
        const isLast = index === fields.length - 1;
        const token = tokens.value.slice(index, isLast ? count : index + 1).join("");
        const value = field.parse(token);
        if (!value.ok) return value;
        values.push(value.value);
      }
      const wrong = trouble(values);
      return wrong === null ? ok(values.join(" ")) : fail(wrong);
    },
  };
}

const unsigned =
  (max: number) =>
  (name: string): Field => ({
    shown: name.replace(" ", "-"),
    parse: (token) => mapOk(parseUnsigned(token, max, `the ${name}`), String),
  });

/** A number of one byte; `name` as in messages, without an article. */
export const uint8 = unsigned(255);
/** A number of two bytes. */
export const uint16 = unsigned(65_535);
/** A number of four bytes. */
export const uint32 = unsigned(4_294_967_295);

/** A domain name. */
export const host = (name: string): Field => ({ shown: name, parse: parseRdataName });

/** One character-string (RFC 1035 §3.3). */
export const characters = (name: string): Field => ({
  shown: `"${name}"`,
  parse: (token) => mapOk(parseString(token, `the ${name}`), formatText),
});

/** A word or quoted text of any length. */
export const text = (name: string): Field => ({
  shown: `"${name}"`,
  parse: (token) => mapOk(parseText(token, `the ${name}`), formatText),
});

/** Bytes in hex, at least one; lower case is canonical. */
export const hex = (name: string): Field => ({
  shown: name.replace(" ", "-"),
  isLong: true,
  parse: (token) =>
    hexBytes(token) === null
      ? fail(`the ${name} must be an even number of hex digits`)
      : ok(token.toLowerCase()),
});

/** Bytes in base64 (RFC 4648 §4), at least one; canonical: bits beyond the end are zero. */
export const base64 = (name: string): Field => ({
  shown: name.replace(" ", "-"),
  isLong: true,
  parse: (token) => {
    const bytes = base64Bytes(token);
    return bytes === null
      ? fail(`the ${name} must be base64, with = at its end where needed`)
      : ok(base64Text(bytes));
  },
});
