/**
 * What a lister (an object whose last contribution lists a name) says of a record at the name that
 * no object wants at its key: the facts for plan/removal/table.ts. Pure.
 */
import { isMarkOf, isSameObject, resourceOf } from "../../model/provenance.ts";
import { isPart } from "../../model/record-set.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import { type HoldCode, isHoldCode } from "../../plan/hold-reasons.ts";
import type { ListerFacts } from "../../plan/removal/absence-facts.ts";
import type { Contribution } from "../contract/contribution.ts";
import { type AddressWait, NO_TARGETS } from "./address-waits.ts";
import type { Lister } from "./name-listings.ts";
import { printOf } from "./name-records.ts";

/**
 * False when the record set is the part of another cluster in a merged record set (ADR 0118):
 * objects of this cluster have a part of their own.
 */
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

/** What is known of a lister, and of others that contribute to this zone. */
export interface ListerContext {
  /** The latest contribution of the lister is the one to this zone. */
  readonly isHere: boolean;
  /** The last contributions to this zone of objects that list the name. */
  readonly here: readonly Contribution[];
  /** Contributions to other zones that cannot be about this record. */
  readonly unrelated: () => readonly Contribution[];
  /** How long the lister has had no address for the name; null = not known to have none. */
  readonly addressWait: () => AddressWait | null;
}

/** The facts of one lister. */
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
    const isAboutRecord = isMarked || here.some(({ object }) => isSameObject(object, entry.object));
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

/** True when the latest contribution of the lister is one of these. */
export function isLatestIn({ entry }: Lister, by: readonly Contribution[]): boolean {
  // By content: a controller sends a zone only contributions that are new there. One through an
  // account that is not open is newer than the one that this zone has (Z-2).
  // clause: stale-contribution-is-no-proof
  return by.some((one) => isSameObject(one.object, entry.object) && printOf(one) === entry.print);
}

/** The hold reason for a name that waits: the source's own, else `SourceIncomplete`. */
export function waitCode(reason: string): HoldCode {
  return isHoldCode(reason) ? reason : "SourceIncomplete";
}
