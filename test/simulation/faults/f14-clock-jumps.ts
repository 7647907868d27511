/**
 * F14: wall clocks that jump, and processes that stand still while time goes on, so that all their
 * timers are due.
 */
import type { FaultClass } from "./fault-class.ts";

const HOUR_MS = 3_600_000;

/** The clock jumps by up to two days, or everything stands still for up to ten minutes. */
export const CLOCK_JUMPS: FaultClass = {
  id: "F14",
  title: "clock jumps and long pauses",
  strike: ({ world }) => {
    const { random, tally, clock } = world;
    tally.add("F14");
    if (random.chance(0.7)) {
      const byMs = random.below(96 * HOUR_MS) - 48 * HOUR_MS;
      world.note(`the clock jumps by ${byMs} ms`);
      clock.jumpWallMs(byMs);
      return {};
    }
    const forMs = random.below(600_000);
    world.note(`everything stands still for ${forMs} ms`);
    world.pauseMs = forMs;
    return {};
  },
};
