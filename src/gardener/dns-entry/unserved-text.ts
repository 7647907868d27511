/** What the status of an entry says whose name no DNSProvider serves. */
import { otherRealmText } from "../../controllers/zone-choice/applicant.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { EntryContext } from "./entry-context.ts";

/** Begins with Gardener's text, which tools match. */
export function unservedText(
  { entry, selection }: EntryContext,
  items: readonly DesiredRecordSet[],
): string {
  const name = items[0]?.name ?? "this name";
  if (selection.kind === "none" && selection.otherRealm !== undefined)
    return `No responsible provider found: ${otherRealmText(name, selection.otherRealm)}`;
  if (selection.kind === "none" && selection.excluded !== undefined) {
    const { provider, domain } = selection.excluded;
    return `No responsible provider found: DNSProvider ${provider} excludes ${domain}, and ${name} lies there; take the domain off its spec.domains.exclude, or choose another name. A domain that is a zone of its account may have to be in spec.domains.include`;
  }
  return `No responsible provider found: no DNSProvider that namespace ${entry.key.namespace} may use serves ${name}; create one for its zone, or include its domain in one`;
}
