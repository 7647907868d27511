/**
 * Warns about zones of a DNSProvider that the zone above them does not delegate (Z-18): resolvers
 * do not find them. Pure.
 */
import type { Zone } from "../../model/zone.ts";
import { type CutOf, chooseZone, outermost } from "./choose-zone.ts";
import type { ProviderFacts } from "./provider-facts.ts";
import { candidatesOf } from "./select-provider.ts";

/**
 * There is one message for each zone; none while a zone that matters has not been read. A zone that
 * serves no names because of that is compared with the provider's own zones. A zone that a user
 * named serves names all the same; it is compared with the zones of `others` (other DNSProviders),
 * too.
 */
export function undelegatedZones(
  provider: ProviderFacts,
  others: readonly ProviderFacts[],
  cutOf: CutOf,
): readonly string[] {
  return [
    ...provider.zones.flatMap((zone) => unserved(zone, provider, cutOf)),
    ...provider.zones.flatMap((zone) => unfound(zone, { provider, others, cutOf })),
  ];
}

function unserved({ id, name }: Zone, provider: ProviderFacts, cutOf: CutOf): readonly string[] {
  const choice = chooseZone(name, candidatesOf(name, provider), cutOf);
  if (choice.kind !== "zone" || choice.candidate.zone.name === name) return [];
  const above = choice.candidate.zone.name;
  return [
    `zone ${name} lies below ${above}, which does not delegate it to the name servers of ${name}, and serves no names: add its NS records to ${above}, or exclude it by spec.zones.exclude: [${id}]`,
  ];
}

interface Around {
  readonly provider: ProviderFacts;
  readonly others: readonly ProviderFacts[];
  readonly cutOf: CutOf;
}

/** A zone that somebody named, below a zone of another DNSProvider. */
function unfound({ id, name, visibility }: Zone, around: Around): readonly string[] {
  const { provider, others, cutOf } = around;
  if (visibility === "private" || !provider.explicit.includes(id)) return [];
  const own = candidatesOf(name, provider).filter(({ zone }) => zone.id === id);
  const above = others
    .flatMap((other) => candidatesOf(name, other))
    .filter(({ zone }) => zone.name !== name && zone.visibility !== "private");
  const closest = outermost(above, (a, b) => a > b);
  if (closest === null) return [];
  const near = [...own, closest].map((one) => ({ ...one, isExplicit: false }));
  const choice = chooseZone(name, near, cutOf);
  if (choice.kind !== "zone" || choice.candidate.zone.name === name) return [];
  const { zone, provider: other } = choice.candidate;
  return [
    `zone ${name} lies below ${zone.name} of DNSProvider ${other.id}, which does not delegate it to the name servers of ${name}: resolvers do not find the names that are published in it; add its NS records to ${zone.name}`,
  ];
}
