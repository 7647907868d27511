/** A name in the query of a request. */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type DnsName, parseZoneName } from "@zonekeeper/dns/names/dns-name";

/** Null = not given; a text that is no name fails with the name of the field. */
export function askedName(field: string, text: string | undefined): Result<DnsName | null> {
  if (text === undefined) return ok(null);
  const name = parseZoneName(text);
  return name.ok ? name : fail(`${field}: ${name.error}`);
}
