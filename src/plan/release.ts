/** Giving records up: the marker goes, the data stays, and nobody is asked to prove anything (DESIGN §6). Pure. */
import { type DesiredRecordSet, recordSetKeyText } from "../model/record-set.ts";
import type { KeyChange } from "./changes.ts";
import { markerState } from "./claims.ts";
import { holdAt } from "./hold-reasons.ts";
import type { Marked } from "./rights.ts";
import type { PlanRules } from "./rules.ts";
import type { Decision } from "./scene.ts";

/** True when a person has ordered that this very record set is given up. */
export function isReleaseOrdered(one: Marked, { orders }: Pick<PlanRules, "orders">): boolean {
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

/** What the object of `wish` gives up: what it has goes out of our hands, and nothing is written for it any more. */
export function giveUp(wish: DesiredRecordSet, own: Marked | null): Decision {
  if (own !== null && own.data !== null) return release(own);
  const message =
    "the object has given its records up; take its annotation release off to publish again";
  return holdAt(wish, { code: "Released", message, provenance: wish.provenance });
}
