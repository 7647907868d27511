/**
 * F18: processes of other versions and configurations come and go: other marker names, keys, and
 * dry runs between.
 */
import type { FaultClass } from "./fault-class.ts";

/** The process is replaced by one that writes markers in another form. */
export const VERSIONS: FaultClass = {
  id: "F18",
  title: "upgrades and downgrades, marker forms",
  strike: ({ world, instance }) => {
    const { random, tally } = world;
    tally.add("F18");
    instance.kill();
    const template = random.pick(["typed", "label"] as const);
    if (random.chance(0.2)) instance.start({ template, dryRun: true });
    else instance.start({ template, writeCluster: random.chance(0.5) });
    return {};
  },
};
