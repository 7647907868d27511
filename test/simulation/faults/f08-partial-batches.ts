/**
 * F08: batches of which a part is applied, or that one record spoils; sometimes one that is never
 * cured (S14).
 */
import { NAMES } from "../world/users.ts";
import type { FaultClass } from "./fault-class.ts";

/** Part of a call fails, or all of it for the sake of one name. */
export const PARTIAL_BATCHES: FaultClass = {
  id: "F08",
  title: "partial and refused batches",
  strike: ({ world }) => {
    const { random, tally } = world;
    if (random.chance(0.1)) {
      world.poisoned = random.pick(NAMES);
      world.note(`${world.poisoned} is refused from now on`);
    }
    const name = random.pick(NAMES);
    return {
      apply: (groups) => {
        if (!random.chance(0.5)) return [];
        if (random.chance(0.5)) {
          tally.add("F08");
          return [{ kind: "partial", changes: random.below(3) }];
        }
        if (groups.some((group) => group.name === name)) tally.add("F08");
        return [{ kind: "rejects", code: "Refused", matches: (group) => group.name === name }];
      },
    };
  },
};
