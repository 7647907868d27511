/** What an object that is published directly contributes to each zone. Pure. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { type Found, NOTHING, objectTransferOf } from "../../sources/source.ts";
import type { Contribution } from "../../sync/contract/contribution.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import type { Split } from "./split-by-zone.ts";

/** What was contributed to a zone. */
export interface Sent {
  readonly key: ZoneKey;
  readonly contribution: Contribution;
}

/** What contributions are made from. */
export interface Contributing {
  /** Of the object, with nothing in it. */
  readonly contribution: Contribution;
  /** By account and zone, as it was contributed last. */
  readonly before: ReadonlyMap<string, Sent>;
  readonly split: Split;
  /** All that the object lists, with and without a zone. */
  readonly found: Found<DesiredRecordSet>;
}

/** What to contribute, by account and zone. */
export interface Contributions {
  readonly zones: ReadonlyMap<string, Sent>;
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
  const zones = new Map<string, Sent>();
  for (const [id, { key }] of before) zones.set(id, { key, contribution: nothing });
  for (const [id, { key, found: part }] of split.zones)
    zones.set(id, { key, contribution: partOf(part) });
  return { zones, withoutZone: zones.size === 0 && names.size > 0 ? nothing : null };
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
