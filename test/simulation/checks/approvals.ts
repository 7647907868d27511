/** What a person says to what the program holds, and the checks hear of it. */
import type { OwnershipRow } from "../../../src/sync/contract/ownership-rows.ts";
import type { Instance } from "../world/instance.ts";
import type { World } from "../world/world.ts";
import { contentText } from "../world/zone-truth.ts";

/** Approves what the fuse holds now, of every installation that stays. */
export async function approveAll(world: World): Promise<void> {
  for (const instance of world.instances) {
    await instance.acceptClusters();
    await instance.approve((removals) => {
      world.note(`${instance.owner}: a held set is approved [${removals.join("; ")}]`);
      world.auditor.budget.approved(instance.owner, removals, world.content());
      world.auditor.arrival.approved(instance.owner);
    });
  }
}

/**
 * A person orders orphans away whose object is known not to list the name any more (Z-22). They
 * are left by a process that ends before it has stored what it saw (Z-23). What the program does
 * not show as an orphan stays, and so does what was there before the story.
 */
export async function removeOrphans(world: World): Promise<void> {
  for (const instance of world.instances) {
    const names = await instance.removeOrphans((row) => isGivenUp(row, instance, world));
    for (const name of names) world.note(`${instance.owner}: the orphan ${name} is ordered away`);
  }
}

/** The program knows it of the object in the marker, and so does the one who plays its user. */
function isGivenUp(row: OwnershipRow, { truth }: Instance, world: World): boolean {
  const { name, type, resource, markerName, orphan = "" } = row;
  if (resource === null || !KNOWN_ORPHAN.test(orphan) || !truth.hasListed(resource, name))
    return false;
  const isOfRow = (set: { readonly name: string; readonly type: string }): boolean =>
    (set.name === name && set.type === type) || (set.name === markerName && set.type === "TXT");
  if (world.content().some((set) => isOfRow(set) && truth.arrived.has(contentText(set))))
    return false;
  const object = truth.get(resource);
  return object === null || (object.settled && !object.names.includes(name));
}

const KNOWN_ORPHAN = /^orphan: (?:no such object|.* does not name it$)/;
