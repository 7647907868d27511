/**
 * Faults of proof 1, all from one stream of random numbers: calls that fail (F05 to F08), clusters
 * that cannot be read (F02, F03), crashes (F05). The fault classes of the seeds are in faults/.
 */
import type { ApplyFault } from "../../support/memory-provider/faults.ts";
import { meddle } from "./foreign-writers.ts";
import { type Instance, NAMING_KINDS } from "./instance.ts";
import { type ActContext, NAMES } from "./users.ts";
import { CALM, type Weather, type World } from "./world.ts";

/** Each external call may meet trouble with probability `trouble`, 0 to 1. */
export function weatherOf(world: World, trouble: number): Weather {
  const { random } = world;
  return {
    ...CALM,
    passage: () => {
      if (!random.chance(trouble / 8)) return "pass";
      return random.chance(0.5) ? "crash-before" : "crash-after";
    },
    apply: () => (random.chance(trouble) ? [applyFault(world)] : []),
    read: () => (random.chance(trouble / 2) ? [{ kind: "down" }] : []),
  };
}

function applyFault(world: World): ApplyFault {
  const { random } = world;
  switch (random.below(7)) {
    case 0:
      return { kind: "lost-before" };
    case 1:
      return { kind: "lost-after" };
    case 2:
      return { kind: "late", delayMs: random.below(5_000) };
    case 3:
      return { kind: "throttled", afterMs: random.chance(0.5) ? null : random.below(3_000) };
    case 4:
      return { kind: "down" };
    case 5: {
      const name = random.pick(NAMES);
      return { kind: "rejects", code: "Refused", matches: (group) => group.name === name };
    }
    default:
      return { kind: "foreign", write: () => world.foreign("in between", () => meddle(world)) };
  }
}

/** Something happens to a cluster, its API or its credentials. */
export function disturb({ world, instance }: ActContext): void {
  const { random } = world;
  const kind = random.pick(NAMING_KINDS);
  const choice = random.below(6);
  if (choice < 2)
    instance.interrupt(kind, random.pick(["stale", "forbidden"]), random.below(20_000));
  else if (choice < 3) instance.loseKind(kind, random.below(20_000));
  else if (choice < 4) {
    world.note(`${instance.owner}: the Secret is rotated`);
    instance.rotateSecret(random.below(1_000));
  } else writerTrouble(world, instance);
}

/** F06. */
function writerTrouble(world: World, instance: Instance): void {
  const { random } = world;
  const on = random.pick(["create", "patch", "patchStatus", "remove"] as const);
  const code = random.pick(["Conflict", "TooManyRequests", "Unavailable", "UnknownOutcome"]);
  const applied = code === "UnknownOutcome" && random.chance(0.5);
  const done = applied ? " after it was done" : "";
  world.note(`${instance.owner}: the next ${on} meets ${code}${done}`);
  instance.cluster.fail({ on, code, applied });
}

/** A process begins, sometimes with a kind whose first list takes long (Z-3). */
export function startProcess({ world, instance }: ActContext): void {
  const { random } = world;
  const isSlow = random.chance(0.25);
  instance.start(
    isSlow ? { slow: { kind: random.pick(NAMING_KINDS), forMs: random.below(15_000) } } : {},
  );
}
