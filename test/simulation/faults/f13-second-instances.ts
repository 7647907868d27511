/**
 * F13: a second process of the same owner id beside the first (a lease that two believe to have), a process that is told
 * to stop while it writes, and a write of a paused one that arrives after its successor's.
 */
import type { Scene } from "../users.ts";
import type { Weather } from "../world.ts";
import type { FaultClass } from "./fault-class.ts";

const BESIDE_MOST_MS = 4_000;
const PAUSE_MOST_MS = 30_000;

/** One of the three. */
export const SECOND_INSTANCES: FaultClass = {
  id: "F13",
  title: "second instances and late writers",
  strike: (scene) => {
    const { world, instance } = scene;
    const { random, tally, clock } = world;
    if (!instance.isRunning) return {};
    switch (random.below(3)) {
      case 0: {
        const end = instance.startBeside();
        tally.add("F13");
        clock.setTimer(random.below(BESIDE_MOST_MS), end);
        return {};
      }
      case 1:
        instance.retire();
        instance.start();
        tally.add("F13");
        return {};
      default:
        return lingering(scene);
    }
  },
};

/** The next call of a process is sent and held up; the process is dead when it arrives. */
function lingering({ world }: Scene): Partial<Weather> {
  let isHeldUp = false;
  return {
    passage: (what) => {
      if (isHeldUp || what !== "apply") return "pass";
      isHeldUp = true;
      world.tally.add("F13");
      return "crash-after";
    },
    apply: () =>
      isHeldUp ? [{ kind: "late", delayMs: 1 + world.random.below(PAUSE_MOST_MS) }] : [],
  };
}
