/**
 * Giving records up: the marker goes, the data stays, and nobody is asked to prove anything (DESIGN
 * §6). Pure.
 */
import { type DesiredRecordSet, isSameKey, recordSetKeyText } from "../model/record-set.ts";
import type { KeyChange } from "./changes.ts";
import { markerState } from "./claims.ts";
import { holdAt } from "./hold-reasons.ts";
import type { Decision, NameContext } from "./name-context.ts";
import { isOwnedByUs, type Marked, markerNamesObject } from "./rights.ts";
import { absenceOf, type PlanRules } from "./rules.ts";
import { isReleasedByObject } from "./transfer-requests.ts";

/** What decides about giving up. */
type ReleaseContext = Pick<NameContext, "current" | "objectTransfers" | "rules">;

/**
 * True when this very record set is to be given up: a person has ordered it, or its object says so.
 */
export function isReleaseRequested(one: Marked, context: Omit<ReleaseContext, "current">): boolean {
  return isReleaseOrdered(one, context.rules) || isReleasedByObject(one, context);
}

function isReleaseOrdered(one: Marked, { orders }: Pick<PlanRules, "orders">): boolean {
  const order = orders?.get(recordSetKeyText(one));
  return order?.is === "release" && order.marker === markerState(one.marker);
}

/** The marker goes, and with it the permit that rests on it. */
export function release(one: Marked): KeyChange {
  const { name, type, setIdentifier, marker, permit } = one;
  return {
    key: { name, type, setIdentifier },
    current: one,
    desired: null,
    change: null,
    marker: null,
    reason: { code: "Released", message: "given up: the marker goes, the record stays" },
    proof: null,
    ...(permit?.owner === marker.owner ? { permit: { is: "withdrawn" } as const } : {}),
  };
}

/**
 * What the object of `wish` gives up at the wished key: what it has goes out of our hands, and
 * nothing is written for it any more. What it has of other types is given up beside (leave.ts);
 * until that is done nobody says that it is.
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
      ? `the object gives its records up; the marker of its ${remaining.join(" and ")} record still stands`
      : "the object has given its records up; take its annotation release off to publish again";
  return holdAt(desired, { code: "Released", message, provenance: desired.provenance });
}

/**
 * Nobody gives up what another object has; what that one has left is the object's that wants it
 * now.
 */
function mayReleaseFor(own: Marked, desired: DesiredRecordSet, rules: PlanRules): boolean {
  const { marker } = own;
  if (marker.resource === null || markerNamesObject(marker, desired.provenance)) return true;
  return absenceOf(rules, own).proven;
}
