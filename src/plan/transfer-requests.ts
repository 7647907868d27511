/**
 * The transfer requests of the objects at a name: annotations by which an object claims a record,
 * permits another object to claim its records, or releases all of them (the markers go, the data
 * stays). A permit is valid only while its object gives it. Records of an object that was not read
 * stay as they are. Pure.
 */
import { isMarkOf } from "../model/provenance.ts";
import type { DesiredRecordSet } from "../model/record-set.ts";
import { NO_TRANSFER, type ObjectTransfer } from "../model/transfer-request.ts";
import type { Marked } from "./rights.ts";
import type { PlanRules } from "./rules.ts";

/** The requests of desired record sets, and of objects without a readable desired record set. */
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

/** The requests of the object in the marker; empty = that object was not read. */
export function transfersFor(
  { marker }: Marked,
  objectTransfers: readonly ObjectTransfer[],
): readonly ObjectTransfer[] {
  return objectTransfers.filter(({ object }) => isMarkOf(marker, object));
}

/** True when the object in the marker releases its records: all of them, of every type. */
export function isReleasedByObject(
  one: Marked,
  objectTransfers: readonly ObjectTransfer[],
): boolean {
  if (one.data === null) return false;
  const transfers = transfersFor(one, objectTransfers);
  return transfers.length > 0 && transfers.every(({ transfer }) => transfer.release);
}
