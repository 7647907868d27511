/** F09: a provider whose reads lag behind its writes, deletions included. */
import { CLASS_A, LIKE_RFC2136, LIKE_ROUTE53 } from "../../support/memory-provider/behaviour.ts";
import { meddle } from "../world/foreign-writers.ts";
import type { FaultClass } from "./fault-class.ts";

/** Reads are old in all of its worlds; strangers write at the worst moment. */
export const STALE_READS: FaultClass = {
  id: "F09",
  title: "reads lag behind writes",
  world: {
    behaviours: [
      LIKE_ROUTE53,
      { ...LIKE_ROUTE53, rate: null },
      { ...LIKE_RFC2136, readLagMs: 500 },
      { ...CLASS_A, readLagMs: 5_000 },
    ],
  },
  strike: ({ world }) => ({
    read: () => {
      const { writtenAtMs } = world;
      if (world.clock.monotonicMs() - writtenAtMs < world.zone.behaviour.readLagMs)
        world.tally.add("F09");
      if (world.random.chance(0.8)) return [];
      const write = (): void => world.foreign("just before a read", () => meddle(world));
      return [{ kind: "foreign", write }];
    },
  }),
};
