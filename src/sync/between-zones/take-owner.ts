/** Takes our owner id from another installation in every zone whose fence blocks us (Z-17). */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { FenceTaking } from "../contract/fence-status.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

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
