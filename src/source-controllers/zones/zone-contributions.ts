/** What an object that is published directly contributes to each zone. Pure. */
import type { Assignment, NewContribution } from "../../controllers/publication/assignments.ts";
import type { DnsName } from "../../model/dns-name.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { type Found, NOTHING, objectTransferOf } from "../../sources/source.ts";
import type { Contribution } from "../../sync/contract/contribution.ts";
import { zoneKeyText } from "../../sync/contract/zone.ts";
import type { Split } from "./split-by-zone.ts";

/** What contributions are made from. */
export interface Contributing {
  /** Of the object, with nothing in it. */
  readonly contribution: Contribution;
  /** The zones that it contributed to last. */
  readonly before: readonly Assignment[];
  readonly split: Split;
  /** All that the object lists, with and without a zone. */
  readonly found: Found<DesiredRecordSet>;
}

/** What to contribute. */
export interface Contributions {
  readonly zones: readonly NewContribution[];
  /** Of an object that no zone is known for: its former records stay, too (Z-32); else null. */
  readonly withoutZone: Contribution | null;
}

/** A zone that serves no name of the object any more gets an empty contribution. */
export function contributionsTo(given: Contributing): Contributions {
  const { contribution, before, split, found } = given;
  const names = namesIn(found);
  const partOf = (part: Found<DesiredRecordSet>): Contribution => ({
    ...contribution,
    found: part,
    ...elsewhere(names, namesIn(part)),
  });
  const nothing = partOf(nothingOf(given));
  const zones = new Map<string, NewContribution>();
  for (const { key, zone } of before)
    zones.set(zoneKeyText(key), { key, zone, contribution: nothing });
  for (const [id, { key, zone, found: part }] of split.zones)
    zones.set(id, { key, zone, contribution: partOf(part) });
  const withoutZone = zones.size === 0 && names.size > 0 ? nothing : null;
  return { zones: [...zones.values()], withoutZone };
}

function nothingOf({ split, found }: Contributing): Found<DesiredRecordSet> {
  const objectTransfer = objectTransferOf(found);
  return {
    ...NOTHING,
    complete: split.isComplete,
    ...(split.paused === undefined ? {} : { paused: split.paused }),
    ...(objectTransfer === null ? {} : { objectTransfer }),
  };
}

function namesIn({ items, waiting }: Found<DesiredRecordSet>): ReadonlySet<DnsName> {
  return new Set([...items, ...waiting].map(({ name }) => name));
}

function elsewhere(
  all: ReadonlySet<DnsName>,
  own: ReadonlySet<DnsName>,
): Pick<Contribution, "elsewhere"> {
  if (all.size === own.size) return {};
  return { elsewhere: [...all].filter((name) => !own.has(name)) };
}
