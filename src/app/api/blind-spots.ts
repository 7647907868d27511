/**
 * What answers do not know or do not count: about the owners of records, as lines for people; and
 * the objects that list names for external-dns only, in annotations that this program does not
 * read: `plan` counts them, `explain` shows them. Pure.
 */
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { NamedElsewhere } from "../../controllers/zone-choice/named-elsewhere.ts";
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

/** An object, with the first of its names that was asked for. */
export type UnreadObject = Pick<NamedElsewhere, "object" | "name" | "where">;

/** Objects of one source, in all clusters. */
export interface UnreadObjects extends Pick<NamedElsewhere, "source" | "kind"> {
  readonly count: number;
  /** The first UNREAD_SHOWN_MAX of them. */
  readonly objects: readonly UnreadObject[];
}

/** Objects that are shown of a source. */
const UNREAD_SHOWN_MAX = 20;

/** By source; a source without such objects is left out. */
export function unreadObjects(named: readonly NamedElsewhere[]): readonly UnreadObjects[] {
  const bySource = new Map<string, Map<string, NamedElsewhere>>();
  for (const one of named.filter(({ isRead }) => !isRead)) {
    const objects = bySource.get(one.source) ?? new Map<string, NamedElsewhere>();
    const id = `${one.cluster}|${one.object}`;
    if (!objects.has(id)) objects.set(id, one);
    bySource.set(one.source, objects);
  }
  return [...bySource].map(([source, objects]) => {
    const all = [...objects.values()];
    const shown = all.slice(0, UNREAD_SHOWN_MAX);
    return {
      source,
      kind: all[0]?.kind ?? "",
      count: all.length,
      objects: shown.map(({ object, name, where }) => ({ object, name, where })),
    };
  });
}
