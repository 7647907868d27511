/**
 * F16: the zone is deleted and made again, empty; it is missing for a while; a twin of its name
 * appears.
 */
import type { FaultClass } from "./fault-class.ts";

const MOST_MS = 60_000;

/** Something happens to the zone as a whole. */
export const ZONES_CHANGE: FaultClass = {
  id: "F16",
  title: "zones vanish, are made again, have twins",
  strike: ({ world, instance }) => {
    const { random, tally, zone } = world;
    tally.add("F16");
    const forMs = random.below(MOST_MS);
    const account = world.account(instance.owner);
    switch (random.below(3)) {
      case 0:
        world.foreign("the zone is made again, empty", () => {
          const all = zone.content.all().filter(({ type }) => type !== "SOA" && type !== "NS");
          zone.content.write(
            all.map((key) => ({ key, next: null })),
            world.clock.monotonicMs(),
          );
        });
        break;
      case 1:
        world.note(`${instance.owner}: the zone is gone for ${forMs} ms`);
        account.begin("zone-lost", forMs);
        break;
      default:
        world.note(`${instance.owner}: the zone has a twin for ${forMs} ms`);
        account.begin("zone-twin", forMs);
    }
    return {};
  },
};
