/**
 * Names as users write them in annotations, hosts and specs. Refuses with the remedy; never
 * guesses.
 */
import { type DnsName, parseDnsName } from "../../model/dns-name.ts";
import { fail, type Result } from "../../model/result.ts";
import type { SourceOptions } from "./source-options.ts";

const ASCII = /^[\x20-\x7e]*$/;

const A_LABEL = /(?:^|\.)xn--/i;

/**
 * Reads one name. Characters beyond ASCII and labels that begin with `xn--` go through `toAscii`
 * (RFC 5891 §4), where there is one; all other names are read as they stand.
 */
export function readName(text: string, options: SourceOptions): Result<DnsName> {
  const trimmed = text.trim();
  const isAscii = ASCII.test(trimmed);
  if (isAscii && (options.toAscii === null || !A_LABEL.test(trimmed))) return parseDnsName(trimmed);
  const ascii = options.toAscii?.(trimmed) ?? null;
  if (ascii !== null) return parseDnsName(ascii);
  return fail(
    isAscii
      ? "a label that begins with xn-- is no A-label (RFC 5890); correct it, or write the name in its own letters"
      : "the name has characters beyond ASCII that cannot be converted; write its A-label form (xn--…)",
  );
}

/** A text of a user, cut to a length that fits into a message. */
export function quoted(text: string): string {
  const bounded = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return JSON.stringify(bounded);
}
