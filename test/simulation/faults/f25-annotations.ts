/**
 * F25: DNSAnnotations that are seen late, may not be read, or are not listed yet by a process that
 * begins, while users write and remove them, also between two processes.
 */
import { DNS_ANNOTATION } from "../../../src/model/kinds.ts";
import { annotateOne } from "../world/annotated.ts";
import type { FaultClass } from "./fault-class.ts";

const MOST_MS = 20_000;

/** Users annotate Services through DNSAnnotations, and these are lost from sight for a while. */
export const LOST_ANNOTATIONS: FaultClass = {
  id: "F25",
  title: "DNSAnnotations out of sight",
  strike: (context) => {
    const { world, instance } = context;
    const { random, tally } = world;
    if (random.chance(0.7)) annotateOne(context);
    const forMs = random.below(MOST_MS);
    switch (random.below(5)) {
      case 0:
        instance.interrupt(DNS_ANNOTATION, "stale", forMs);
        break;
      case 1:
        instance.interrupt(DNS_ANNOTATION, "forbidden", forMs);
        break;
      case 2:
        instance.lag(DNS_ANNOTATION, 1_000 + random.below(MOST_MS), forMs);
        break;
      case 3:
        instance.kill();
        // What comes and goes while nobody watches is found by the next process.
        annotateOne(context);
        annotateOne(context);
        instance.start({ slow: { kind: DNS_ANNOTATION, forMs } });
        break;
      default:
        return {};
    }
    tally.add("F25");
    if (random.chance(0.5)) annotateOne(context);
    return {};
  },
};
