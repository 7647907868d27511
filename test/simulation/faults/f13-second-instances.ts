/**
 * F13: a second process of the same owner id beside the first (a lease that two believe to have), a
 * process that is told to stop while it writes, and a write of a paused one that arrives after its
 * successor's. In worlds with rivals and a fence, also a second installation that was given the
 * owner id of the first by mistake (D05, Z-17).
 */
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import { fencedBy } from "../checks/fence-checks.ts";
import { type ActContext, NAMES } from "../world/users.ts";
import type { Weather } from "../world/world.ts";
import type { FaultClass } from "./fault-class.ts";

const OVERLAP_MOST_MS = 4_000;
const PAUSE_MOST_MS = 30_000;
const DISPUTE_MOST_MS = 20_000;

/** One of them. */
export const SECOND_INSTANCES: FaultClass = {
  id: "F13",
  title: "second instances and late writers",
  world: { hasOtherInstallations: true },
  strike: (context) => {
    const { world, instance } = context;
    const { random, tally, clock } = world;
    if (!instance.isRunning) return {};
    // Whoever comes to a zone without a fence is its first installation.
    const isFenced = fencedBy(world.content(), instance.owner) === instance.domain;
    switch (random.below(world.mayHaveOtherInstallations && isFenced ? 4 : 3)) {
      case 0: {
        const end = instance.startSecondProcess();
        tally.add("F13");
        clock.setTimer(random.below(OVERLAP_MOST_MS), end);
        return {};
      }
      case 1:
        instance.retire();
        instance.start();
        tally.add("F13");
        return {};
      case 2:
        return lingering(context);
      default:
        tally.add("F13");
        dispute(context);
        return {};
    }
  },
};

/** The next call of a process is sent and held up; the process is dead when it arrives. */
function lingering({ world }: ActContext): Partial<Weather> {
  let isHeldUp = false;
  return {
    passage: (what) => {
      if (isHeldUp || what !== "apply") return "pass";
      isHeldUp = true;
      world.tally.add("F13");
      return "crash-after";
    },
    apply: () =>
      isHeldUp ? [{ kind: "late", delayMs: 1 + world.random.below(PAUSE_MOST_MS) }] : [],
  };
}

/**
 * Another cluster's installation wants a name and knows nothing of ours, until somebody notices.
 */
function dispute({ world, instance }: ActContext): void {
  const { random, clock } = world;
  const other = world.addOtherInstallation(instance);
  const spec = { dnsName: random.pick(NAMES), targets: ["203.0.113.1"] };
  world.note(`${other.domain} begins with the owner id ${other.owner}, and wants ${spec.dnsName}`);
  const apiVersion = "dns.gardener.cloud/v1alpha1";
  const metadata = { namespace: "default", name: "rival" };
  other.cluster.apply(DNS_ENTRY, { apiVersion, kind: "DNSEntry", metadata, spec });
  other.start();
  clock.setTimer(random.below(DISPUTE_MOST_MS), () => {
    world.note(`${other.domain} is shut down, and the owner id given back`);
    void world.settleOwners();
  });
}
