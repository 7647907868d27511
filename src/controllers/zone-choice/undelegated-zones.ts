/**
 * Zones of a DNSProvider that serve nothing, as the zone above them does not delegate them (Z-18).
 * Pure.
 */
import { type CutOf, chooseZone } from "./choose-zone.ts";
import type { ProviderFacts } from "./provider-facts.ts";
import { candidatesOf } from "./select-provider.ts";

/** One message for each; none for a zone that has not been read yet. */
export function undelegatedZones(provider: ProviderFacts, cutOf: CutOf): readonly string[] {
  return provider.zones.flatMap(({ id, name }) => {
    const choice = chooseZone(name, candidatesOf(name, provider), cutOf);
    if (choice.kind !== "zone" || choice.candidate.zone.name === name) return [];
    const above = choice.candidate.zone.name;
    return `zone ${name} lies below ${above}, which does not delegate it to the name servers of ${name}, and serves no names: add its NS records to ${above}, or exclude it by spec.zones.exclude: [${id}]`;
  });
}
