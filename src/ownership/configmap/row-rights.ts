/**
 * The rights that rows and intents give over existing data (Z-14): rights over the recorded
 * data, and over no other. Pure.
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
 * The record set with its owner. What a call of ours may have written is ours; what a row was made
 * for is its owner's; other data under a claimed row is contested, for an old backup must not own
 * what was given away since.
 */
export function viewOf(set: RecordSet, known: KeyRecord): OwnedRecordSet {
  const { name, type, setIdentifier } = set;
  const claim = claimOver(set, known);
  const stale = claim === null ? (known.row?.claim ?? null) : null;
  const counted = claim ?? stale;
  const marker = counted === null ? null : markerOf(counted);
  return { name, type, setIdentifier, data: set, marker, contested: stale !== null };
}

/** Who has rights over this very data; null = no known owner. */
export function claimOver(set: RecordSet, { row, intent }: KeyRecord): Claim | null {
  if (intent === null && row?.claim == null) return null;
  const hash = dataHash(set);
  if (intent?.next.includes(hash)) return intent.claim;
  return row?.hash === hash ? row.claim : null;
}
