/**
 * Releases records: the marker is removed, the data stays; no proof is needed
 * (docs/safety.md#release). Pure.
 */
import { isMarkOf } from "../model/provenance.ts";
import { type DesiredRecordSet, isSameKey, recordSetKeyText } from "../model/record-set.ts";
import type { ObjectTransfer } from "../model/transfer-request.ts";
import { changeAt, type KeyChange, withPermit } from "./changes.ts";
import { markerState } from "./claims.ts";
import { holdFor } from "./hold-at.ts";
import type { Decision, NameContext } from "./name-context.ts";
import type { Marked } from "./rights.ts";
import { absenceOf, type PlanRules } from "./rules.ts";
import { isReleasedByObject } from "./transfer-requests.ts";

/** True when a person ordered the release of this record set, or its object requests it. */
export function isReleaseRequested(
  one: Marked,
  objectTransfers: readonly ObjectTransfer[],
  { orders }: Pick<PlanRules, "orders">,
): boolean {
  const order = orders?.get(recordSetKeyText(one));
  const isOrdered = order?.is === "release" && order.marker === markerState(one.marker);
  return isOrdered || isReleasedByObject(one, objectTransfers);
}

/** Removes the marker, and the permit that belongs to it. */
export function release(one: Marked): KeyChange {
  const message = "released: the marker is removed, the record stays";
  return changeAt(one, { code: "Released", message }, withPermit(one));
}

/**
 * Decides about a desired record set whose object releases its records: its record is released, and
 * nothing is written for it any more. Records of other types at the name are released by
 * decide-unwanted.ts; the hold reports them until their markers are gone.
 */
export function decideReleased(
  desired: DesiredRecordSet,
  { own, objectTransfers, rules }: NameContext,
): Decision {
  const atKey = own.find((one) => isSameKey(one, desired));
  if (atKey !== undefined && atKey.data !== null) {
    // An object cannot release the record of another one, unless that one is proven gone.
    const { marker } = atKey;
    const isOwn = marker.resource === null || isMarkOf(marker, desired.provenance);
    if (isOwn || absenceOf(rules, atKey).proven) return release(atKey);
  }
  const remaining = own
    .filter((one) => isReleasedByObject(one, objectTransfers))
    .map(({ type }) => type);
  const message =
    remaining.length > 0
      ? `the object releases its records; the marker of its ${remaining.join(" and ")} record still exists`
      : "the object has released its records; remove its annotation zonekeeper.dev/release to publish again";
  return holdFor(desired, "Released", message);
}
