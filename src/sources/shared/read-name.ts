/**
 * Names as users write them in annotations, hosts and specs. Refuses with the remedy; never
 * guesses.
 */
import { fail, type Result } from "@zonekeeper/base/result";
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import { toAscii } from "@zonekeeper/dns/names/idna";

const A_LABEL = /(?:^|\.)xn--/i;

/** Reads one name. Labels that begin with `xn--` must be A-labels (RFC 5890 §2.3.2.1). */
export function readName(text: string): Result<DnsName> {
  if (A_LABEL.test(text) && toAscii(text.trim()) === null)
    return fail(
      "a label that begins with xn-- is no A-label (RFC 5890); correct it, or write the name in its own letters",
    );
  return parseDnsName(text);
}

/** A text of a user, cut to a length that fits into a message. */
export function quoted(text: string): string {
  const bounded = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return JSON.stringify(bounded);
}
