/**
 * Names of zone files: `@`, relative to the origin, or absolute with a dot at the end (RFC 1035
 * §5.1).
 */
import { ok, type Result } from "@zonekeeper/base/result";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { parseRdataName, ROOT_TEXT, rdataNameToDnsName } from "@zonekeeper/dns/rdata/name-text";

/** A dot that no backslash escapes. */
const ABSOLUTE = /(?:^|[^\\])(?:\\\\)*\.$/;

/** The absolute name without its dot, escapes and case as written; the root is `.`. Not checked. */
export function absoluteText(text: string, origin: DnsName): string {
  if (text === "@") return origin === "" ? ROOT_TEXT : origin;
  if (text === ROOT_TEXT) return ROOT_TEXT;
  if (ABSOLUTE.test(text)) return text.slice(0, -1);
  return origin === "" ? text : `${text}.${origin}`;
}

/** The name, or what is wrong with it. */
export function readOwner(text: string, origin: DnsName): Result<DnsName> {
  const name = parseRdataName(absoluteText(text, origin));
  return name.ok ? ok(rdataNameToDnsName(name.value)) : name;
}
