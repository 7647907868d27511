/** F10: throttled calls, with or without advice, blackouts of the account, and a small rate. */
import { CLASS_A, LIKE_RFC2136 } from "../../support/memory-provider/behaviour.ts";
import type { FaultClass } from "./fault-class.ts";

/** Longer than the longest back-off of a zone. */
const BLACKOUT_MOST_MS = 60_000;

/** The provider throttles calls, or refuses all calls of the account for a while. */
export const THROTTLING: FaultClass = {
  id: "F10",
  title: "throttling and blackouts",
  world: { behaviours: [{ ...LIKE_RFC2136, rate: { burst: 5, perSecond: 5 } }, CLASS_A] },
  strike: ({ world, instance }) => {
    const { random, tally } = world;
    if (random.chance(0.1)) {
      const forMs = random.below(BLACKOUT_MOST_MS);
      world.note(`${instance.owner}: no call to the provider for ${forMs} ms`);
      world.account(instance.owner).begin("blackout", forMs);
      tally.add("F10");
    }
    return {
      apply: () => {
        if (!random.chance(0.5)) return [];
        tally.add("F10");
        const afterMs = random.chance(0.5) ? null : random.below(5_000);
        return [{ kind: "throttled", afterMs }];
      },
      read: () => {
        if (!random.chance(0.2)) return [];
        tally.add("F10");
        return [{ kind: "down" }];
      },
    };
  },
};
