/**
 * Hands a person's orders to zones: those about records and about fences (Z-17), an approval
 * (Z-16), and to take our owner id from another installation (Z-17).
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { fenceNamesOf } from "../contract/fence-record.ts";
import type { FenceTaking } from "../contract/fence-status.ts";
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

/** The fence of a zone. */
type FencedZone = Pick<ZoneActor, "fences" | "apex">;

/**
 * One answer for each zone that the installation blocks, or whose fence cannot be read. Zones run
 * in parallel; the accounts of one zone run one after the other, because they write the same
 * record.
 */
export async function takeOwnerIn(
  zones: readonly FencedZone[],
  from: string,
  dryRun: boolean,
): Promise<readonly FenceTaking[]> {
  const apexes = [...new Set(zones.map(({ apex }) => apex))];
  const takings = apexes.map(async (apex) => {
    const answers: FenceTaking[] = [];
    for (const zone of zones.filter((one) => one.apex === apex))
      answers.push(...(await takeAt(zone, from, dryRun)));
    return answers;
  });
  return (await Promise.all(takings)).flat();
}

async function takeAt(
  { fences, apex: zone }: FencedZone,
  from: string,
  dryRun: boolean,
): Promise<readonly FenceTaking[]> {
  try {
    const takings: FenceTaking[] = [];
    for (const fence of [fences.main, ...fences.held()]) {
      const taking = (await fence?.take(from, dryRun)) ?? null;
      if (taking !== null) takings.push({ ...taking, zone });
    }
    if (!dryRun) fences.changed();
    return takings;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return [{ zone, trouble: error.message }];
  }
}
