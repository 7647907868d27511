/**
 * The rights that rows (stored owners) and intents (what a call in flight may write) give over
 * existing data: over the data whose hash they have, and no other (Z-14). Pure.
 */
import type { RecordSet } from "../../model/record-set.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import { dataHash } from "../data-hash.ts";
import { type Claim, type Intent, markerOf, type Row } from "./row.ts";

/** What is known about a key; null = nothing. */
export interface KeyRecord {
  readonly row: Row | null;
  readonly intent: Intent | null;
}

/**
 * The record set with its owner: that of an intent for this very data, else that of a row for it.
 * Other data under a row with an owner is contested: a row from an old backup must not own data
 * that was given away since.
 */
export function viewOf(set: RecordSet, known: KeyRecord): OwnedRecordSet {
  const { name, type, setIdentifier } = set;
  const claim = claimOver(set, known);
  const stale = claim === null ? (known.row?.claim ?? null) : null;
  const counted = claim ?? stale;
  const marker = counted === null ? null : markerOf(counted);
  return { name, type, setIdentifier, data: set, marker, contested: stale !== null };
}

/** The owner of this very data; null = none is known. */
export function claimOver(set: RecordSet, { row, intent }: KeyRecord): Claim | null {
  if (intent === null && row?.claim == null) return null;
  const hash = dataHash(set);
  if (intent?.next.includes(hash)) return intent.claim;
  return row?.hash === hash ? row.claim : null;
}
