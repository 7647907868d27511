/**
 * F01: an API server that lags behind: its lists and events of a kind are old, and lack the latest
 * writes of the process itself.
 */
import { NAMING_KINDS } from "../world/instance.ts";
import type { FaultClass } from "./fault-class.ts";

const LATE_MOST_MS = 20_000;

/** Events of one kind come late for a while, in order, while its watch looks live. */
export const LATE_EVENTS: FaultClass = {
  id: "F01",
  title: "API server lags behind",
  strike: ({ world, instance }) => {
    const { random, tally } = world;
    const kind = random.pick(NAMING_KINDS);
    instance.lag(kind, 1_000 + random.below(LATE_MOST_MS), random.below(LATE_MOST_MS));
    tally.add("F01");
    return {};
  },
};
