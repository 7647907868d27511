/** F06: writes to the API server that fail, and some that fail after they were done. */
import type { FaultClass } from "./fault-class.ts";

const VERBS = ["create", "patch", "patchStatus", "remove"] as const;
const CODES = ["Conflict", "TooManyRequests", "Unavailable", "UnknownOutcome"] as const;

/** One of the next writes to the cluster fails. */
export const API_ERRORS: FaultClass = {
  id: "F06",
  title: "API writes fail or answer nothing",
  strike: ({ world, instance }) => {
    const { random, tally } = world;
    const on = random.pick(VERBS);
    const code = random.pick(CODES);
    const applied = code === "UnknownOutcome" && random.chance(0.5);
    const done = applied ? " after it was done" : "";
    world.note(`${instance.owner}: the next ${on} meets ${code}${done}`);
    instance.cluster.fail({ on, code, applied, met: () => tally.add("F06") });
    return {};
  },
};
