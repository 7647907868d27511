/** Makes a change at a key of the zone that carries out no desired record set. */
import { plainKey } from "../model/record-set.ts";
import type { ChangeReason, KeyChange, Marker, OwnedRecordSet } from "./changes.ts";

/** The change; where `more` says nothing else, the data stays and the marker is removed. */
export function changeAt(
  one: OwnedRecordSet,
  reason: ChangeReason,
  more: Partial<KeyChange> = {},
): KeyChange {
  const nothing = { desired: null, change: null, marker: null, proof: null };
  return { key: plainKey(one), current: one, ...nothing, reason, ...more };
}

/** The field of a change that removes the marker: a permit that its owner gave is removed, too. */
export function withPermit(
  one: OwnedRecordSet & { readonly marker: Marker },
): Pick<KeyChange, "permit"> {
  return one.permit?.owner === one.marker.owner ? { permit: { is: "withdrawn" } } : {};
}
