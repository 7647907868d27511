/** F17: resolvers that fail, lie or do not answer, also while processes begin anew. */
import { listHosts, moveHost } from "../world/looked-up.ts";
import type { ResolverMood } from "../world/sim-resolver.ts";
import type { FaultClass } from "./fault-class.ts";

const MOODS: readonly ResolverMood[] = ["fails", "hangs", "denies", "hides"];

/** Users list hosts, hosts move, and the resolver tells the truth only now and then. */
export const RESOLVERS: FaultClass = {
  id: "F17",
  title: "resolvers that lie or fail",
  strike: (context) => {
    const { world, instance } = context;
    const { random } = world;
    if (random.chance(0.5)) listHosts(context);
    if (random.chance(0.4)) moveHost(world);
    if (random.chance(0.2)) {
      instance.kill();
      instance.start();
    }
    if (random.chance(0.4)) world.pauseMs = 31_000;
    if (random.chance(0.3)) return {};
    world.tally.add("F17");
    const mood = random.pick(MOODS);
    return { mood: () => mood };
  },
};
