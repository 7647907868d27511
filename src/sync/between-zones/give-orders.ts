/** Hands a person's orders to one zone: those about records, and those about fences (Z-17). */
import { fenceNamesOf } from "../contract/fence-record.ts";
import type { OwnershipOrder } from "../contract/ownership-rows.ts";
import type { ZoneKey } from "../contract/zone.ts";
import type { OwnershipOrders } from "../zone/ownership-orders.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

/** False, and nothing is taken: too many. */
export function giveOrders(
  actor: Pick<ZoneActor, "apex" | "enqueue" | "fences">,
  taken: OwnershipOrders,
  orders: readonly OwnershipOrder[],
): boolean {
  const isFence = fenceNamesOf(actor.apex);
  const ofRecords = orders.filter(({ key }) => !isFence(key.name));
  if (!taken.take(ofRecords)) return false;
  actor.enqueue(new Set(ofRecords.map(({ key }) => key.name)), "edited");
  for (const { key, order } of orders)
    if (order.is === "remove" && isFence(key.name)) actor.fences.remove(key.name, order.marker);
  return true;
}

/** Approves the set that fuses hold under this hash (Z-16); answers its zones. */
export async function approveIn(
  zones: readonly Pick<ZoneActor, "guard" | "enqueueHeld" | "zoneInput">[],
  hash: string,
): Promise<readonly ZoneKey[]> {
  const approved: ZoneKey[] = [];
  for (const actor of zones) {
    if (!(await actor.guard.approve(hash))) continue;
    actor.enqueueHeld();
    approved.push(actor.zoneInput.key);
  }
  return approved;
}
