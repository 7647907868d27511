/** The newest contribution of an object. Pure. */
import { fingerprint64 } from "../../model/fingerprint.ts";
import { objectKeyText } from "../../model/provenance.ts";
import { bodyText } from "../cache/columns/zone-texts.ts";
import type { Contribution } from "../contract/contribution.ts";
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

/** True for a contribution of the object of the entry. */
export function isSameObject(one: Contribution, { object }: AbsenceEntry): boolean {
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
