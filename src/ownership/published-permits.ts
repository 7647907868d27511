/**
 * Texts in the form of a permit (the record by which an owner lets another object claim a record)
 * for which there is an ownership marker in the format of another registry (ADR 0014, ADR 0020): a
 * user of some controller published the text. It gives no right and is never removed or
 * overwritten. Pure.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { compareKeys, plainKey, type RecordSet } from "../model/record-set.ts";
import type { KeyChange, OwnedRecordSet, Precondition } from "../plan/changes.ts";
import { asRead } from "../plan/preconditions.ts";
import type { OtherFormat } from "./other-formats.ts";
import type { ZoneContent } from "./ownership.ts";
import { permitName } from "./txt/permit.ts";

/** The zone, and the formats of markers that show that a permit is published. */
export interface PublishedPermitContext {
  readonly apex: DnsName;
  /** All formats but that of the zone's registry. */
  readonly formats: readonly OtherFormat[];
}

/** The owned record sets, with such permits as texts like any other. Sorted by key. */
export function withoutPublishedPermits(
  views: readonly OwnedRecordSet[],
  sets: readonly RecordSet[],
  { formats }: PublishedPermitContext,
): readonly OwnedRecordSet[] {
  if (views.every(({ permit }) => permit === undefined)) return views;
  const published = new Set(
    sets.flatMap((set) => formats.flatMap((format) => markedBy(set, format))),
  );
  const plain = views.flatMap((view): readonly OwnedRecordSet[] => {
    const { permit, ...rest } = view;
    if (permit === undefined || !published.has(trustedDnsName(permit.record.name))) return [view];
    const { record } = permit;
    const text = { ...plainKey(record), data: record, marker: null, contested: false };
    return rest.data === null && rest.marker === null ? [text] : [rest, text];
  });
  return [...plain].sort(compareKeys);
}

/** Names that markers of the format in this record set label, of any type and owner. */
function markedBy(set: RecordSet, format: OtherFormat): readonly DnsName[] {
  return set.type === "TXT" ? format.namesIn(set) : [];
}

/**
 * Why the permit of the change is left alone; null = no marker of another format labels its
 * name, or it has none.
 */
export function publishedPermitTrouble(
  change: KeyChange,
  content: ZoneContent,
  context: PublishedPermitContext,
): string | null {
  const name = permitNameIn(change, context);
  if (name === null) return null;
  for (const format of context.formats)
    for (const markerName of format.markerNames(name))
      if (content.at(markerName).some((set) => markedBy(set, format).includes(name)))
        return `${name} is a name that somebody publishes a text at (${format.name} marker ${markerName}): it gives no right and is left alone`;
  return null;
}

/** Preconditions that names where such a marker could be are as they were read (Z-8). */
export function publishedPermitPreconditions(
  changes: readonly KeyChange[],
  content: ZoneContent,
  context: PublishedPermitContext,
): readonly Precondition[] {
  return changes.flatMap((change) => {
    const name = permitNameIn(change, context);
    if (name === null) return [];
    const { setIdentifier } = change.key;
    const markerNames = new Set(context.formats.flatMap((format) => format.markerNames(name)));
    // The record set at the name itself is the one that is written.
    return [...markerNames]
      .filter((markerName) => markerName !== name)
      .map((markerName) => asRead({ name: markerName, type: "TXT", setIdentifier }, content));
  });
}

function permitNameIn(
  { key, permit }: KeyChange,
  { apex }: PublishedPermitContext,
): DnsName | null {
  return permit === undefined ? null : permitName(key, apex);
}
