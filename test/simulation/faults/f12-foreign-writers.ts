/** F12: people and other controllers write into the zone, between our reads and our writes, too. */
import { meddle, meddleWithOwned } from "../world/foreign-writers.ts";
import type { FaultClass } from "./fault-class.ts";

/**
 * A stranger writes now, or just before our next call takes effect. Counted by the world when
 * something changed.
 */
export const FOREIGN_WRITERS: FaultClass = {
  id: "F12",
  title: "foreign writers",
  strike: ({ world, instance }) => {
    const { random } = world;
    if (random.chance(0.4)) world.foreign("turn", () => meddle(world));
    else if (random.chance(0.3))
      world.foreign("a hand on ours", () => meddleWithOwned(world, instance));
    return {
      apply: () => {
        if (!random.chance(0.4)) return [];
        return [{ kind: "foreign", write: () => world.foreign("in between", () => meddle(world)) }];
      },
    };
  },
};
