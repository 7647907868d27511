/** The contributions of an object that is published directly, one for each zone. Pure. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import {
  type KnownObject,
  type NewContribution,
  newContributions,
  type PublicationDecision,
} from "../../controllers/publication/published-kind.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { type Found, listedNames, NOTHING, objectTransferOf } from "../../sources/source.ts";
import { printOf } from "../../sync/absence/name-records.ts";
import type { Contribution } from "../../sync/contract/contribution.ts";
import { zoneKeyText } from "../../sync/contract/zone.ts";
import type { Split, ZonePart } from "./split-by-zone.ts";

/**
 * `found` = all names that the object lists, also those without a zone. A zone that serves no name
 * of it any more gets an empty contribution. While no zone is known for any name, the object
 * contributes without a zone, and its former records stay (Z-32).
 */
export function contributionsTo(
  known: KnownObject,
  found: Found<DesiredRecordSet>,
  split: Split,
): Pick<PublicationDecision, "withoutZone" | "atOnce"> {
  const { assignments } = known;
  const names = listedNames(found);
  let printed: string | null = null;
  const print = (): string => {
    printed ??= printOf({ found: { ...found, problems: [], complete: split.isComplete } });
    return printed;
  };
  const partOf = (part: Found<DesiredRecordSet>): Contribution => ({
    ...contributionOf(known, part),
    ...elsewhere(names, listedNames(part), print),
  });
  const nothing = nothingOf(found, split);
  const zones = new Map<string, Omit<ZonePart, "found"> & Partial<ZonePart>>();
  for (const { key, zone } of assignments) zones.set(zoneKeyText(key), { key, zone });
  for (const [id, part] of split.zones) zones.set(id, part);
  const contributions = [...zones.values()].map(
    ({ key, zone, found: part = nothing }): NewContribution => ({
      ...{ key, zone },
      contribution: partOf(part),
    }),
  );
  const withoutZone = zones.size === 0 && names.size > 0 ? partOf(nothing) : null;
  return { withoutZone, atOnce: newContributions(contributions, assignments) };
}

/** The contribution of the object's present generation. */
export function contributionOf(
  { object, id }: KnownObject,
  found: Found<DesiredRecordSet>,
): Contribution {
  return { object: id, generation: object.metadata.generation ?? 0, found, deleting: false };
}

/** A contribution without names, which still carries the object's pause and transfer requests. */
function nothingOf(
  found: Found<DesiredRecordSet>,
  { isComplete, paused }: Split,
): Found<DesiredRecordSet> {
  const objectTransfer = objectTransferOf(found);
  return {
    ...NOTHING,
    complete: isComplete,
    ...(paused === undefined ? {} : { paused }),
    ...(objectTransfer === null ? {} : { objectTransfer }),
  };
}

/** The names that the object lists in other zones, or in none; empty where there are none. */
function elsewhere(
  all: ReadonlySet<DnsName>,
  own: ReadonlySet<DnsName>,
  print: () => string,
): Pick<Contribution, "elsewhere" | "print"> {
  if (all.size === own.size) return {};
  return { elsewhere: [...all].filter((name) => !own.has(name)), print: print() };
}
