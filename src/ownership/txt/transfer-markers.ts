/**
 * Which markers of a key are removed, and why those of another owner (the giver) cannot be taken
 * over (Z-9, Z-13). A record may have several markers: external-dns up to v0.15 wrote one with a
 * type and one without for each record. One that kept naming the old owner would leave the record
 * contested for ever, so all of them are taken over together, or none is.
 */
import { matchesResource } from "../../model/provenance.ts";
import { isSameKey } from "../../model/record-set.ts";
import type { KeyChange, NamePlan } from "../../plan/changes.ts";
import type { Blocker } from "../../plan/rules.ts";
import { type FoldOptions, isStaleCopy } from "./fold-markers.ts";
import type { FoldedKey, MarkerEntry } from "./folded-key.ts";
import { excludes } from "./marker-collisions.ts";

/**
 * Markers of the key that the change is about. Where a marker without data is removed at the key by
 * a change of its own, that change is only about this marker, and the others about those of the
 * data, whose removal may be held meanwhile.
 */
export function markersFor(
  change: KeyChange,
  { changes }: NamePlan,
  found: readonly FoldedKey[],
): readonly MarkerEntry[] {
  const areHalvesApart = changes.some((one) => isHalf(one) && isSameKey(one.key, change.key));
  const own = found.filter(({ data }) => !areHalvesApart || (data === null) === isHalf(change));
  return own.flatMap((key) => key.markers);
}

/** True for the removal of a marker that has no data. */
function isHalf({ desired, change, current }: KeyChange): boolean {
  return desired === null && change === null && current?.data === null;
}

/**
 * True for a marker that is to be removed: every one of a key that is removed; of data that stays,
 * each further one that names another object, or an owner that loses the record.
 */
export function isObsolete(
  entry: MarkerEntry,
  { marker, ends }: KeyChange,
  found: readonly FoldedKey[],
): boolean {
  if (marker === null || entry.owner === ends) return true;
  const whole = found.find(({ data }) => data !== null);
  if (whole?.markers.slice(1).includes(entry) !== true) return false;
  if (entry.owner !== marker.owner) return true;
  return isStaleCopy(entry, (resource) => matchesResource(resource, marker.provenance));
}

/** True when data that this plan creates needs the name of the marker. */
export function isNameNeeded(entry: MarkerEntry, plan: NamePlan): boolean {
  return plan.changes.some(
    ({ change }) => change?.op === "create" && excludes(change.next, entry.record),
  );
}

/** The owner other than us whose markers are to go or to be rewritten; null = there is none. */
function giverOf({ marker, ends, current }: KeyChange, isOwnedByUs: (owner: string) => boolean) {
  if (marker === null) return null;
  const owner = ends ?? current?.marker?.owner ?? null;
  return owner === null || (ends === undefined && isOwnedByUs(owner)) ? null : owner;
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
  const isOwn = (key: FoldedKey): boolean => isSameKey(key, change.key);
  const entries = keys.filter(isOwn).flatMap(({ markers }) => markers);
  const others = keys.filter((key) => !isOwn(key));
  for (const entry of entries.filter(({ owner }) => owner === giver)) {
    if (entry.shared) return { code: "MarkerShared", message: `${markerText(entry)} ${SHARED}` };
    const message = entryBlocker(entry, change, others);
    if (message !== null) return { code: "MarkerAmbiguous", message };
  }
  return null;
}

const SHARED =
  "shares its record set with another text: move that text to another name, then take the record over again";

function markerText({ owner, record }: MarkerEntry): string {
  return `the marker of "${owner}" at ${record.type} ${record.name}`;
}

function entryBlocker(
  entry: MarkerEntry,
  { key }: KeyChange,
  others: readonly FoldedKey[],
): string | null {
  const { record, owner } = entry;
  const marker = markerText(entry);
  const also = others.find(
    ({ data, markers }) => data !== null && markers.some((one) => isSameKey(one.record, record)),
  );
  if (also !== undefined)
    return `${marker} also labels ${also.type} ${also.name}, which would lose its marker. Remove that marker if it does not belong there, then take the record over again`;
  if (entry.competingType === undefined) return null;
  return `${marker} names no type, and external-dns would read it as the marker of ${entry.competingType} ${key.name}, too. If "${owner}" does not own that record, remove this marker by hand. Then take the record over, with zonekeeper ownership adopt if it has no marker`;
}
