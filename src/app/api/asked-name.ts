/** Reads a DNS name in the query of a request. */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type DnsName, parseZoneName } from "@zonekeeper/dns/names/dns-name";

/** The name; null = not given. A text that is no name fails with a message that names the field. */
export function askedName(field: string, text: string | undefined): Result<DnsName | null> {
  if (text === undefined) return ok(null);
  const name = parseZoneName(text);
  return name.ok ? name : fail(`${field}: ${name.error}`);
}
