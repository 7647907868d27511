/**
 * F02: watches break, miss what happens, and come back with a newer list; what was deleted
 * meanwhile is only missing.
 */
import { NAMING_KINDS } from "../world/instance.ts";
import type { FaultClass } from "./fault-class.ts";

/** The watch of one kind is stale for a while. */
export const LOST_WATCHES: FaultClass = {
  id: "F02",
  title: "watches break and miss events",
  strike: ({ world, instance }) => {
    const { random, tally } = world;
    instance.interrupt(random.pick(NAMING_KINDS), "stale", random.below(20_000));
    tally.add("F02");
    return {};
  },
};
