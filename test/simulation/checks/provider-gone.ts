/**
 * S17: a DNSProvider that is deleted takes nothing with it. While one is gone every removal is
 * judged by what users want, as at all other times; its violation has a name of its own, so that
 * stories show that it was looked at.
 */
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { ChangeGroup } from "../../../src/plan/changes.ts";
import type { ActContext } from "../world/users.ts";
import { claimsOf } from "../world/zone-truth.ts";
import { checkRemovals, type RemovalContext, Violation } from "./checks.ts";

/**
 * Somebody deletes one of the instance's DNSProviders for `forMs` (virtual); counts when something
 * of it stands.
 */
export function deleteProvider({ world, instance }: ActContext, forMs: number): void {
  const { truth, owner } = instance;
  const standing = claimsOf(world.content()).filter(
    (claim) => claim.owner === owner && !claim.isMarker && isWanted(claim.resource),
  );
  if (standing.length > 0) world.tally.add("S17");
  instance.removeProvider(world.random.below(instance.providers), forMs);

  function isWanted(resource: string | null): boolean {
    return resource !== null && truth.get(resource) !== null;
  }
}

/**
 * Throws for a removal of what users still want; its only reason could be that the DNSProvider is
 * gone.
 */
export function checkKept(
  groups: readonly ChangeGroup[],
  sets: readonly RecordSet[],
  context: RemovalContext,
): void {
  try {
    checkRemovals(groups, sets, context);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Violation(`S17: a DNSProvider was deleted, and then: ${reason}`);
  }
}
