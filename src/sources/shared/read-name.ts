/** Names as users write them in annotations, hosts and specs. Refuses with the remedy; never guesses. */
import { type DnsName, parseDnsName } from "../../model/dns-name.ts";
import { fail, type Result } from "../../model/result.ts";
import type { SourceOptions } from "./source-options.ts";

const ASCII = /^[\x20-\x7e]*$/;

/** Reads one name; characters beyond ASCII go through `toAscii` (RFC 5891 §4), where there is one. */
export function readName(text: string, options: SourceOptions): Result<DnsName> {
  const trimmed = text.trim();
  if (ASCII.test(trimmed)) return parseDnsName(trimmed);
  const ascii = options.toAscii?.(trimmed) ?? null;
  if (ascii === null)
    return fail(
      "the name has characters beyond ASCII that cannot be converted; write its A-label form (xn--…)",
    );
  return parseDnsName(ascii);
}

/** A text of a user, cut to a length that fits into a message. */
export function quoted(text: string): string {
  const bounded = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return JSON.stringify(bounded);
}
