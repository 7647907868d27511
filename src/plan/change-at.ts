/** Makes a change of a record set of the zone that is for no desired one. */
import { plainKey } from "../model/record-set.ts";
import type { ChangeReason, KeyChange, Marker, OwnedRecordSet } from "./changes.ts";

/** Fields beyond `more`: the data stays as it is, and the marker is removed. */
export function changeAt(
  one: OwnedRecordSet,
  reason: ChangeReason,
  more: Partial<KeyChange> = {},
): KeyChange {
  const nothing = { desired: null, change: null, marker: null, proof: null };
  return { key: plainKey(one), current: one, ...nothing, reason, ...more };
}

/** Whose marker goes, his permit goes with it. */
export function withPermit(
  one: OwnedRecordSet & { readonly marker: Marker },
): Pick<KeyChange, "permit"> {
  return one.permit?.owner === one.marker.owner ? { permit: { is: "withdrawn" } } : {};
}
