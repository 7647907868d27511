/**
 * Which markers of a key are removed, and why those of another owner (the giver) cannot be taken
 * over (Z-9, Z-13). A record may have several markers: external-dns up to v0.15 wrote one with a
 * type and one without for each record. One that kept naming the old owner would leave the record
 * contested for ever, so all of them are taken over together, or none is.
 */
import { matchesResource } from "../../model/provenance.ts";
import { isSameKey, type RecordSetKey } from "../../model/record-set.ts";
import type { KeyChange, NamePlan } from "../../plan/changes.ts";
import type { Blocker } from "../../plan/rules.ts";
import { type FoldedKey, type FoldOptions, isStaleCopy, type MarkerEntry } from "./fold-markers.ts";
import { excludes } from "./marker-collisions.ts";

/**
 * Markers of the key that the change is about: all that were found. Where a marker without data is
 * removed at the key by a change of its own, that change is about this marker only, and the others
 * are about those of the data, whose removal may be held meanwhile.
 */
export function markersFor(
  change: KeyChange,
  { changes }: NamePlan,
  found: readonly FoldedKey[],
): readonly MarkerEntry[] {
  const isApart = changes.some((one) => removesOrphan(one) && isSameKey(one.key, change.key));
  const isAbout = ({ data }: FoldedKey) => (data === null) === removesOrphan(change);
  return (isApart ? found.filter(isAbout) : found).flatMap((key) => key.markers);
}

/** True for the removal of a marker that has no data. */
function removesOrphan({ desired, change, current }: KeyChange): boolean {
  return desired === null && change === null && current?.data === null;
}

/**
 * True for a marker that is to be removed: every one of a key that is removed; of data that stays,
 * those of an owner that loses the record, and further ones of other owners or objects.
 */
export function isObsolete(
  entry: MarkerEntry,
  { marker, ends }: KeyChange,
  found: readonly FoldedKey[],
): boolean {
  if (marker === null || entry.owner === ends) return true;
  const [, ...further] = found.find(({ data }) => data !== null)?.markers ?? [];
  if (!further.includes(entry)) return false;
  const isSame = (resource: string): boolean => matchesResource(resource, marker.provenance);
  return entry.owner !== marker.owner || isStaleCopy(entry, isSame);
}

/** True when data that this plan creates needs the name of the marker. */
export function isNameNeeded(entry: MarkerEntry, plan: NamePlan): boolean {
  return plan.changes.some(
    ({ change }) => change?.op === "create" && excludes(change.next, entry.record),
  );
}

/** The owner from which the change takes the record over; null = it takes none over. */
function giverOf(
  { marker, ends, current }: KeyChange,
  isOwnedByUs: (owner: string) => boolean,
): string | null {
  if (marker === null) return null;
  if (ends !== undefined) return ends;
  const owner = current?.marker?.owner;
  return owner === undefined || isOwnedByUs(owner) ? null : owner;
}

/**
 * Why the markers of the giver cannot all be taken over; null = they can, or there is no giver.
 * `around`: all keys whose markers may be at names of this one's markers, its own included.
 */
export function transferBlocker(
  change: KeyChange,
  around: () => readonly FoldedKey[],
  { isOwnedByUs }: Pick<FoldOptions, "isOwnedByUs">,
): Blocker | null {
  const giver = giverOf(change, isOwnedByUs);
  if (giver === null) return null;
  const keys = around();
  const own = keys.filter((key) => isSameKey(key, change.key)).flatMap(({ markers }) => markers);
  const others = keys.filter((key) => !isSameKey(key, change.key));
  const blockers = own
    .filter(({ owner }) => owner === giver)
    .flatMap((entry) => blockerAt(entry, change.key, others) ?? []);
  return blockers[0] ?? null;
}

/** Why this marker can be neither removed nor rewritten; null = it can. */
function blockerAt(
  { record, owner, shared, competingType }: MarkerEntry,
  { name }: RecordSetKey,
  others: readonly FoldedKey[],
): Blocker | null {
  const blocker = (code: Blocker["code"], why: string): Blocker => {
    return { code, message: `the marker of "${owner}" at ${record.type} ${record.name} ${why}` };
  };
  if (shared)
    return blocker(
      "MarkerShared",
      "shares its record set with another text: move that text to another name, then take the record over again",
    );
  const also = others.find(
    ({ data, markers }) => data !== null && markers.some((one) => isSameKey(one.record, record)),
  );
  if (also !== undefined)
    return blocker(
      "MarkerAmbiguous",
      `also labels ${also.type} ${also.name}, which would lose its marker. Remove that marker if it does not belong there, then take the record over again`,
    );
  if (competingType === undefined) return null;
  return blocker(
    "MarkerAmbiguous",
    `names no type, and external-dns would read it as the marker of ${competingType} ${name}, too. If "${owner}" does not own that record, remove this marker by hand. Then take the record over, with zonekeeper ownership adopt if it has no marker`,
  );
}
