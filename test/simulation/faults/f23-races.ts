/**
 * F23: back ends that compare nothing, on which two owners want one name in the same moment and
 * strangers take it between the read and the write (Z-27).
 */
import {
  LIKE_ALIDNS,
  LIKE_CLOUDFLARE,
  type MemoryBehaviour,
} from "../../support/memory-provider/behaviour.ts";
import type { ApplyFault } from "../../support/memory-provider/faults.ts";
import { takeName } from "../world/foreign-writers.ts";
import { type ActContext, wantTogether } from "../world/users.ts";
import type { Weather, World } from "../world/world.ts";
import type { FaultClass } from "./fault-class.ts";

const ttl = { minSeconds: 1, maxSeconds: 2_147_483_647 };

/** Atomic and step by step; what is written is added to what is there. */
export const MERGING: readonly MemoryBehaviour[] = [
  { ...LIKE_CLOUDFLARE, rate: null, ttl },
  { ...LIKE_ALIDNS, conflicts: "merge", trimsText: false, ttl },
];

/** Both owners act at once; then strangers, lost answers and crashes come between their calls. */
export const RACES: FaultClass = {
  id: "F23",
  title: "races on back ends that compare nothing",
  world: { behaviours: MERGING, owners: 2 },
  strike: (context) => {
    const { world } = context;
    wantTogether(world);
    world.tally.add("F23");
    return { apply: (groups) => troubleAt(groups[0]?.name, world), passage: crashes(context) };
  },
};

/** What the calls of a race meet. */
export function troubleAt(name: string | undefined, world: World): readonly ApplyFault[] {
  const { random } = world;
  if (name === undefined) return [];
  if (random.chance(0.2))
    return [
      { kind: "foreign", write: () => world.foreign("in between", () => takeName(world, name)) },
    ];
  if (random.chance(0.1)) return [{ kind: random.pick(["lost-before", "lost-after"]) }];
  return [];
}

/** Processes end between two calls of a race. */
export function crashes({ world: { random } }: ActContext): Weather["passage"] {
  return () => {
    if (!random.chance(0.04)) return "pass";
    return random.chance(0.5) ? "crash-before" : "crash-after";
  };
}
