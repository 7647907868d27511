/** F07: calls to the provider whose answer is lost: not applied, applied, or applied later. */
import type { ApplyFault } from "../../support/memory-provider/faults.ts";
import type { SimRandom } from "../world/sim-random.ts";
import type { FaultClass } from "./fault-class.ts";

const LATE_MOST_MS = 5_000;

/** Each call until the next event may lose its answer. */
export const LOST_ANSWERS: FaultClass = {
  id: "F07",
  title: "lost answers of the provider",
  strike: ({ world: { random, tally } }) => ({
    apply: () => {
      if (!random.chance(0.4)) return [];
      tally.add("F07");
      return [lost(random)];
    },
  }),
};

function lost(random: SimRandom): ApplyFault {
  switch (random.below(3)) {
    case 0:
      return { kind: "lost-before" };
    case 1:
      return { kind: "lost-after" };
    default:
      return { kind: "late", delayMs: 1 + random.below(LATE_MOST_MS) };
  }
}
