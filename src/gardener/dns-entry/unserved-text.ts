/** The message of an entry whose name no DNSProvider serves: why, and what to do. */
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import { otherRealmText } from "../../controllers/zone-choice/applicant.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { EntryContext } from "./entry-context.ts";

type UnservedContext = Pick<EntryContext, "entry" | "selection" | "statusZone">;

/** Begins with Gardener's text, which tools match. */
export function unservedText(context: UnservedContext, items: readonly DesiredRecordSet[]): string {
  return `No responsible provider found: ${whyUnserved(context, items[0]?.name ?? null)}`;
}

function whyUnserved(
  { entry, selection, statusZone }: UnservedContext,
  wanted: DnsName | null,
): string {
  const name = wanted ?? "this name";
  if (statusZone?.isBlocked === true && wanted !== null && isAtOrBelow(wanted, statusZone.zone))
    return `zone ${statusZone.key.zone}, where ${name} is published, is blocked by --blocked-zone; its record stays as it is, and follows once the program is started without it`;
  if (selection.kind === "none" && selection.otherRealm !== undefined)
    return otherRealmText(name, selection.otherRealm);
  if (selection.kind === "none" && selection.excluded !== undefined) {
    const { provider, domain } = selection.excluded;
    return `DNSProvider ${provider} excludes ${domain}, and ${name} lies there; take the domain off its spec.domains.exclude, or choose another name. A domain that is a zone of its account may have to be in spec.domains.include`;
  }
  return `no DNSProvider that namespace ${entry.key.namespace} may use serves ${name}; create one for its zone, or include its domain in one`;
}
