/** Facts of a DNSProvider as the choice of a zone reads them. */
import type { ProviderFacts } from "../../../src/controllers/zone-choice/provider-facts.ts";

/** Ready in namespace default, of type memory, with nothing but what `more` says. */
export function providerFacts(
  more: Pick<ProviderFacts, "id" | "account" | "zones"> & Partial<ProviderFacts>,
): ProviderFacts {
  return {
    namespace: "default",
    type: "memory",
    state: "ready",
    message: "",
    deleting: false,
    explicit: [],
    unproven: [],
    replaced: [],
    known: [],
    included: more.zones.map(({ name }) => name),
    excluded: [],
    defaultTtlSeconds: null,
    entriesMax: null,
    rateLimit: null,
    tenancy: { sharedNames: false, delegations: [] },
    realms: [""],
    ownerId: null,
    ...more,
  };
}
