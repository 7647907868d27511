/**
 * F26: a back end like OpenStack Designate, which takes one record set a call, compares no values,
 * and carries changes out later: PENDING, then ACTIVE or ERROR. Two owners and strangers race on
 * it as in F23.
 */
import { LIKE_DESIGNATE } from "../../support/memory-provider/behaviour.ts";
import { wantTogether } from "../world/users.ts";
import { crashes, troubleAt } from "./f23-races.ts";
import type { FaultClass } from "./fault-class.ts";

/** Both owners act at once; then strangers, lost answers and crashes come between their calls. */
export const PENDING_CHANGES: FaultClass = {
  id: "F26",
  title: "races where changes are PENDING and values are not compared",
  world: { behaviours: [LIKE_DESIGNATE], owners: 2 },
  strike: (context) => {
    const { world } = context;
    wantTogether(world);
    world.tally.add("F26");
    return { apply: (groups) => troubleAt(groups[0]?.name, world), passage: crashes(context) };
  },
};
