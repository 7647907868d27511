/** F19: many acts at once, objects that are deleted and made again in the same moment, and everything deleted. */
import { act, removeEverything } from "../users.ts";
import type { FaultClass } from "./fault-class.ts";

const ACTS = 40;

/** A storm; with the fuse, so that a storm of deletions is stopped until a person has looked at it (S5). */
export const STORMS: FaultClass = {
  id: "F19",
  title: "storms of changes, with the fuse",
  world: { fuseMin: 3 },
  strike: ({ world, instance }) => {
    const { random, tally } = world;
    tally.add("F19");
    world.note(`${instance.owner}: a storm`);
    if (random.chance(0.3)) removeEverything({ world, instance });
    for (let index = 0; index < random.below(ACTS); index++)
      act({ world, instance, mistakes: 0.1 });
    return {};
  },
};
