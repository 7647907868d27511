/** The newest contribution of an object, and what it means where it went elsewhere. Pure. */
import { fingerprint64 } from "../../model/fingerprint.ts";
import { isMarkOf, objectKeyText } from "../../model/provenance.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import type { AbsenceVerdict } from "../../plan/rules.ts";
import { bodyText } from "../cache/columns/zone-texts.ts";
import type { Contribution } from "../contract/contribution.ts";
import { elsewhereVerdict, waitingVerdict } from "./absence-reasons.ts";
import type { AbsenceEntry, Lister } from "./name-listings.ts";

/**
 * By content: a controller sends a zone only contributions that are new there. What came by a way
 * that is not open is newer than what this zone has (Z-2).
 */
function isLatest(one: Contribution, entry: AbsenceEntry): boolean {
  // clause: stale-contribution-is-no-proof
  return isSameObject(one, entry) && printOf(one) === entry.print;
}

/** Of the object that lists the name. */
export function isLatestIn({ entry }: Lister, by: readonly Contribution[]): boolean {
  return by.some((one) => isLatest(one, entry));
}

function isSameObject(one: Contribution, { object }: AbsenceEntry): boolean {
  return objectKeyText(one.object) === objectKeyText(object);
}

/** A fingerprint of a contribution, independent of the order of its properties. */
export function printOf({ found }: Contribution): string {
  const { items, waiting, problems, complete } = found;
  const sets = items.map((item) => [
    ...[item.name, item.type, item.setIdentifier, item.ttlSeconds, bodyText(item)],
    ...[objectKeyText(item.provenance), item.owner, item.createdAtMs],
  ]);
  return fingerprint64(JSON.stringify([sets, waiting, problems, complete]));
}

/**
 * What an object means for the record if it lists the name and its latest contribution went to
 * another zone or account; null = it is another object than the marker's, and complete.
 */
export function judgeOtherLister(
  { entry, waitsFor }: Lister,
  { marker }: OwnedRecordSet,
  here: readonly Contribution[],
): AbsenceVerdict | null {
  if (!entry.isComplete) return waitingVerdict(entry, waitsFor ?? "SourceIncomplete");
  const hasOlderHere = here.some((one) => isSameObject(one, entry));
  return hasOlderHere || isMarkOf(marker, entry.provenance) ? elsewhereVerdict(entry) : null;
}
