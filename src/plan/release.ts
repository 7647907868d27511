/**
 * Releases records: the marker is removed, the data stays; no proof is needed
 * (docs/safety.md#release). Pure.
 */
import { isMarkOf } from "../model/provenance.ts";
import { type DesiredRecordSet, isSameKey, recordSetKeyText } from "../model/record-set.ts";
import type { KeyChange } from "./changes.ts";
import { markerState } from "./claims.ts";
import { holdAt } from "./hold-at.ts";
import type { Decision, NameContext } from "./name-context.ts";
import { isOwnedByUs, type Marked } from "./rights.ts";
import { absenceOf, type PlanRules } from "./rules.ts";
import { isReleasedByObject } from "./transfer-requests.ts";

/** The input that decides about a release. */
type ReleaseContext = Pick<NameContext, "current" | "objectTransfers" | "rules">;

/** True when a person ordered the release of this record set, or its object requests it. */
export function isReleaseRequested(one: Marked, context: Omit<ReleaseContext, "current">): boolean {
  return isReleaseOrdered(one, context.rules) || isReleasedByObject(one, context);
}

function isReleaseOrdered(one: Marked, { orders }: Pick<PlanRules, "orders">): boolean {
  const order = orders?.get(recordSetKeyText(one));
  return order?.is === "release" && order.marker === markerState(one.marker);
}

/** Removes the marker, and the permit that belongs to it. */
export function release(one: Marked): KeyChange {
  const { name, type, setIdentifier, marker, permit } = one;
  return {
    key: { name, type, setIdentifier },
    current: one,
    desired: null,
    change: null,
    marker: null,
    reason: { code: "Released", message: "released: the marker is removed, the record stays" },
    proof: null,
    ...(permit?.owner === marker.owner ? { permit: { is: "withdrawn" } as const } : {}),
  };
}

/**
 * Decides about a desired record set whose object releases its records: its record is released, and
 * nothing is written for it any more. Records of other types at the name are released by
 * decide-unwanted.ts; the hold reports them until their markers are gone.
 */
export function decideReleased(desired: DesiredRecordSet, context: ReleaseContext): Decision {
  const { current, rules } = context;
  const own = current.find(
    (one): one is Marked => isOwnedByUs(one, rules) && isSameKey(one, desired),
  );
  if (own !== undefined && own.data !== null && mayReleaseFor(own, desired, rules))
    return release(own);
  const remaining = current
    .filter((one) => isReleasedByObject(one, context))
    .map(({ type }) => type);
  const message =
    remaining.length > 0
      ? `the object releases its records; the marker of its ${remaining.join(" and ")} record still exists`
      : "the object has released its records; remove its annotation zonekeeper.dev/release to publish again";
  return holdAt(desired, { code: "Released", message, provenance: desired.provenance });
}

/**
 * True when the marker names the object of `desired` or no object, or when the object that it names
 * is proven gone. An object cannot release the record of another one.
 */
function mayReleaseFor(own: Marked, desired: DesiredRecordSet, rules: PlanRules): boolean {
  const { marker } = own;
  if (marker.resource === null || isMarkOf(marker, desired.provenance)) return true;
  return absenceOf(rules, own).proven;
}
