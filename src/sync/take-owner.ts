/** Taking our owner id from another installation in every zone that it stops us in (SAFETY Z-17). */
import { OperationError } from "../model/operation-error.ts";
import type { FenceTaking } from "./contract.ts";
import type { ZoneActor } from "./zone-actor.ts";

/** A zone, as far as its fence goes. */
type FencedZone = Pick<ZoneActor, "fence" | "apex">;

/** One answer for each zone where the installation is in the way, or where that cannot be told; in the order of the zones. */
export async function takeOwnerIn(
  zones: readonly FencedZone[],
  from: string,
  dryRun: boolean,
): Promise<readonly FenceTaking[]> {
  const takings = zones.map((zone) => takeAt(zone, from, dryRun));
  return (await Promise.all(takings)).flat();
}

async function takeAt(
  { fence, apex: zone }: FencedZone,
  from: string,
  dryRun: boolean,
): Promise<readonly FenceTaking[]> {
  try {
    const taking = (await fence?.take(from, dryRun)) ?? null;
    return taking === null ? [] : [{ ...taking, zone }];
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return [{ zone, trouble: error.message }];
  }
}
