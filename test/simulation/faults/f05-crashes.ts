/**
 * F05: the process dies, at any moment or at an external call: before it, or before its answer is
 * seen.
 */
import type { FaultClass } from "./fault-class.ts";

/** A crash now, or at one of the next calls. */
export const CRASHES: FaultClass = {
  id: "F05",
  title: "crashes before and after calls",
  strike: ({ world, instance }) => {
    const { random, tally } = world;
    if (random.chance(0.3) && instance.isRunning) {
      instance.kill();
      tally.add("F05");
    }
    return {
      passage: () => {
        if (!random.chance(0.1)) return "pass";
        tally.add("F05");
        return random.chance(0.5) ? "crash-before" : "crash-after";
      },
    };
  },
};
