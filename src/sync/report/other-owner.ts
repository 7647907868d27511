/**
 * Whether everything that objects want in a zone belongs to one other owner id: then `--owner` is
 * probably another one than before. Reads the zone actor; no I/O.
 */
import { isSameKey } from "../../model/record-set.ts";
import type { Hold, OwnedRecordSet } from "../../plan/changes.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

/**
 * A question for whoever started the program; null = the zone has markers of ours, or the records
 * that are held are not all of one other owner.
 */
export function otherOwnerQuestion(actor: ZoneActor, mainOwner: string): string | null {
  const { state, apex } = actor;
  if (state === null || state.owned.markedNames > 0) return null;
  const owners = new Set<string>();
  for (const { name, holds } of actor.ledger.openPlans()) {
    for (const owner of ownersThatHold(holds, state.owned.at(name))) owners.add(owner);
    if (owners.size > 1) return null;
  }
  const [other = ""] = owners;
  if (other === "") return null;
  return `all records that objects want in ${apex} and that have an owner belong to "${other}", none to "${mainOwner}": is --owner right? If it is: zonekeeper transfer --from ${other} --to ${mainOwner} --force`;
}

/** Owner ids of the records for which something is held. */
function ownersThatHold(
  holds: readonly Hold[],
  current: readonly OwnedRecordSet[],
): readonly string[] {
  const foreign = holds.filter(({ code }) => code === "ForeignRecord");
  return current.flatMap((set) =>
    set.marker !== null && foreign.some(({ key }) => isSameKey(key, set)) ? [set.marker.owner] : [],
  );
}
