/** F15: credentials that rotate, expire, lose the zone, or see more zones. */
import type { FaultClass } from "./fault-class.ts";

const MOST_MS = 60_000;

/** The account shows something else for a while. */
export const CREDENTIALS: FaultClass = {
  id: "F15",
  title: "credentials expire, rotate, lose or gain zones",
  strike: ({ world, instance }) => {
    const { random, tally } = world;
    tally.add("F15");
    if (random.chance(0.3)) {
      world.note(`${instance.owner}: the Secret is rotated`);
      instance.rotateSecret(random.below(1_000));
      return {};
    }
    const trouble = random.pick(["denied", "zone-lost", "zone-extra"] as const);
    const forMs = random.below(MOST_MS);
    world.note(`${instance.owner}: the account is ${trouble} for ${forMs} ms`);
    world.account(instance.owner).begin(trouble, forMs);
    return {};
  },
};
