/** F03: kinds that may not be listed, that discovery lacks, or whose first list takes long. */
import { NAMING_KINDS } from "../world/instance.ts";
import type { FaultClass } from "./fault-class.ts";

/** One kind cannot be read for a while, by this process or by the next one, too. */
export const PARTIAL_LISTS: FaultClass = {
  id: "F03",
  title: "kinds that cannot be listed",
  strike: ({ world, instance }) => {
    const { random, tally } = world;
    const kind = random.pick(NAMING_KINDS);
    const forMs = random.below(20_000);
    tally.add("F03");
    switch (random.below(3)) {
      case 0:
        instance.interrupt(kind, "forbidden", forMs);
        break;
      case 1:
        instance.loseKind(kind, forMs);
        break;
      default:
        instance.kill();
        instance.start({ slow: { kind, forMs } });
    }
    return {};
  },
};
