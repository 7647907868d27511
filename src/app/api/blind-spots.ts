/** Lists what an answer about the owners of records does not know, as lines for people. Pure. */
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { ProviderTrouble } from "../../controllers/zone-choice/provider-facts.ts";
import { providerText } from "../../model/external-dns-rules.ts";
import { printable } from "../../model/printable.ts";
import type { ZoneOwnership } from "../../sync/contract/ownership-rows.ts";

/**
 * There is one line for each thing that an answer about these names (null = all) does not know;
 * empty = it is complete. `rights`: ownership in each open zone that could hold one of the names.
 * `providers`: those that serve no zone.
 */
export function blindSpots(
  rights: readonly ZoneOwnership[],
  names: ReadonlySet<DnsName> | null,
  providers: readonly ProviderTrouble[],
): readonly string[] {
  const zones = rights.flatMap(({ zone, trouble }) =>
    trouble === null ? [] : [`zone ${zone.name}: cannot be read: ${trouble}`],
  );
  const nowhere = [...(names ?? [])].filter(
    (name) => !rights.some(({ zone }) => isAtOrBelow(name, zone.name)),
  );
  const isAbout = names === null || nowhere.length > 0;
  return [
    ...zones,
    ...nowhere.map((name) => `${name}: no open zone contains it`),
    ...(names === null && rights.length === 0 ? ["no zone is open"] : []),
    ...(isAbout ? providers.map(providerLine) : []),
  ];
}

/** `DNSProvider default/own serves no zone: …`. */
export function providerLine({ provider, message }: ProviderTrouble): string {
  return `${providerText(provider)} serves no zone: ${printable(message)}`;
}
