/** What an object that lists a name says of a record there that nobody wants. Pure. */
import { isPart } from "../../model/merged.ts";
import { isMarkOf, objectKeyText, resourceOf } from "../../model/provenance.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import { type HoldCode, isHoldCode } from "../../plan/hold-reasons.ts";
import type { ListerFacts } from "../../plan/removal/absence-facts.ts";
import type { Contribution } from "../contract/contribution.ts";
import { type AddressWait, NO_TARGETS } from "./address-waits.ts";
import type { AbsenceEntry, Lister } from "./name-listings.ts";
import { printOf } from "./name-records.ts";

/** A part is one cluster's (ADR 0118): objects of others have parts of their own. */
export function mayWant(
  { entry }: Lister,
  { data, marker, setIdentifier }: OwnedRecordSet,
): boolean {
  const part = data ?? marker?.record ?? null;
  return (
    /* clause: part-is-of-one-cluster */ part === null ||
    !isPart(part) ||
    entry.provenance.cluster === setIdentifier
  );
}

/** What they are judged by. */
export interface ListerContext {
  /** Its latest contribution is the one to this zone. */
  readonly isHere: boolean;
  /** The last contributions to this zone of objects that list the name. */
  readonly here: readonly Contribution[];
  /** Contributions to other zones that cannot be about this record. */
  readonly unrelated: () => readonly Contribution[];
  /** How long its name has had no address; null = it is not known to have none. */
  readonly addressWait: () => AddressWait | null;
}

/** The facts of one. */
export function listerFacts(
  lister: Lister,
  { marker }: OwnedRecordSet,
  { isHere, here, unrelated, addressWait }: ListerContext,
): ListerFacts {
  const { entry, waitsFor } = lister;
  const isMarked = isMarkOf(marker, entry.provenance);
  const reason = waitsFor ?? (entry.isComplete ? null : "SourceIncomplete");
  const names = { who: resourceOf(entry.object), original: resourceOf(entry.provenance) };
  if (!isHere && entry.isComplete) {
    const isAboutRecord = isMarked || here.some((one) => isSameObject(one, entry));
    const isOtherZone = !isAboutRecord && isLatestIn(lister, unrelated());
    return { ...names, is: "elsewhere", isAboutRecord, isOtherZone };
  }
  if (reason === null) return { ...names, is: "complete" };
  if (!isHere) return { ...names, is: "unclear", code: waitCode(reason) };
  if (reason === "RenamedUnpublished") return { ...names, is: isMarked ? "former" : "complete" };
  const wait = reason === NO_TARGETS ? addressWait() : null;
  if (wait === null) return { ...names, is: "unclear", code: waitCode(reason) };
  if (!wait.isOver) return { ...names, is: "without-address", ...wait };
  return { ...names, is: isMarked ? "without-address-for-good" : "complete" };
}

/** The latest contribution of the object that lists the name is one of these. */
export function isLatestIn({ entry }: Lister, by: readonly Contribution[]): boolean {
  return by.some((one) => isLatest(one, entry));
}

/**
 * By content: a controller sends a zone only contributions that are new there. What came by a way
 * that is not open is newer than what this zone has (Z-2).
 */
function isLatest(one: Contribution, entry: AbsenceEntry): boolean {
  // clause: stale-contribution-is-no-proof
  return isSameObject(one, entry) && printOf(one) === entry.print;
}

function isSameObject(one: Contribution, { object }: AbsenceEntry): boolean {
  return objectKeyText(one.object) === objectKeyText(object);
}

/** A reason of a source, which are reasons to hold a record. */
export function waitCode(reason: string): HoldCode {
  return isHoldCode(reason) ? reason : "SourceIncomplete";
}
