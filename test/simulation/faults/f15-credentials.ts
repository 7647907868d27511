/**
 * F15: credentials that rotate, expire, lose the zone, or see more zones; and DNSProviders that are
 * deleted (S17).
 */
import { deleteProvider } from "../checks/provider-gone.ts";
import type { FaultClass } from "./fault-class.ts";

const MOST_MS = 60_000;
const ROTATED = 0.3;
const DELETED = 0.15;

/** The account shows something else for a while. */
export const CREDENTIALS: FaultClass = {
  id: "F15",
  title: "credentials expire, rotate, lose or gain zones; DNSProviders go",
  strike: ({ world, instance }) => {
    const { random, tally } = world;
    tally.add("F15");
    const drawn = random.next();
    if (drawn >= ROTATED && drawn < ROTATED + DELETED) {
      deleteProvider({ world, instance }, random.below(MOST_MS));
      return {};
    }
    if (drawn < ROTATED) {
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
