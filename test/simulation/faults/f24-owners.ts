/**
 * F24: owner ids that DNSOwners switch on and off, also while these are seen late, may not be read,
 * or are not listed yet by a process that begins.
 */
import { DNS_OWNER } from "../../../src/model/kinds.ts";
import { ownOne, switchOwner } from "../world/owned.ts";
import type { FaultClass } from "./fault-class.ts";

const MOST_MS = 20_000;

/** Users give entries the id of a DNSOwner, and it comes and goes. */
export const SWITCHED_OWNERS: FaultClass = {
  id: "F24",
  title: "owner ids on and off",
  strike: (context) => {
    const { world, instance } = context;
    const { random, tally } = world;
    if (random.chance(0.7)) ownOne(context);
    const forMs = random.below(MOST_MS);
    switch (random.below(8)) {
      case 0:
        instance.interrupt(DNS_OWNER, "stale", forMs);
        break;
      case 1:
        instance.interrupt(DNS_OWNER, "forbidden", forMs);
        break;
      case 2:
        instance.lag(DNS_OWNER, 1_000 + random.below(MOST_MS), forMs);
        break;
      case 3:
        instance.kill();
        instance.start({ slow: { kind: DNS_OWNER, forMs } });
        break;
      case 4:
      case 5:
        switchOwner(context);
        break;
      default:
        return {};
    }
    tally.add("F24");
    if (random.chance(0.5)) ownOne(context);
    if (random.chance(0.3)) world.pauseMs = 65_000;
    return {};
  },
};
