/**
 * What the objects at a name say about their records: a permit stands only while its object gives
 * it, and who gives its records up gives up all of them. Silence is no word: what nobody is heard
 * about stays as it is. Pure.
 */
import type { DesiredRecordSet } from "../model/record-set.ts";
import { NO_TRANSFER, type ObjectTransfer } from "../model/transfer-request.ts";
import type { OwnedRecordSet } from "./changes.ts";
import { isOwnedByUs, type Marked, markerNamesObject } from "./rights.ts";
import type { PlanRules } from "./rules.ts";

/** What decides whether a record set is given up. */
export interface TransferContext {
  /** Of every object that was read and lists the name, or has a marker there. */
  readonly objectTransfers: readonly ObjectTransfer[];
  readonly rules: Pick<PlanRules, "owners">;
}

/** What is said by wishes, and by objects that want nothing here or cannot say what. */
export function collectTransfers(
  desired: readonly DesiredRecordSet[],
  { objectTransfers = [] }: Pick<PlanRules, "objectTransfers">,
): readonly ObjectTransfer[] {
  const ofDesired = desired.map(({ provenance, transfer = NO_TRANSFER }) => ({
    object: provenance,
    transfer,
  }));
  return objectTransfers.length === 0 ? ofDesired : ofDesired.concat(objectTransfers);
}

/** What the object in the marker says; empty = nothing is known of it. */
export function transfersFor(
  { marker }: Marked,
  objectTransfers: readonly ObjectTransfer[],
): readonly ObjectTransfer[] {
  return objectTransfers.filter(({ object }) => markerNamesObject(marker, object));
}

/** True when the object in the marker gives its records up: this one too, whatever its type. */
export function isReleasedByObject(
  one: OwnedRecordSet,
  { objectTransfers, rules }: TransferContext,
): boolean {
  if (one.data === null || !isOwnedByUs(one, rules)) return false;
  const transfers = transfersFor(one, objectTransfers);
  return transfers.length > 0 && transfers.every(({ transfer }) => transfer.release);
}
