/**
 * A story as data: a seed, the kind of world, and a list of events. Each event draws from a seed of
 * its own, so that a story without some of its events tells the rest in the same way: what makes a
 * failing one short.
 */
import type { FaultClass } from "../faults/fault-class.ts";
import { FAULTS, faultOf } from "../faults/index.ts";
import { type Arrival, drawArrival } from "../world/arrivals.ts";
import { SimRandom } from "../world/sim-random.ts";

/** One turn. */
export interface Event {
  /** Everything random of this turn is drawn from it. */
  readonly seed: number;
  /** Whether a user does something. */
  readonly acts: boolean;
  /** Ids of the fault classes that strike. */
  readonly faults: readonly string[];
}

/** All of a story. Can be kept in a file. */
export interface Script {
  readonly version: 1;
  readonly seed: number;
  /** Fault class whose world it is; null = the usual one. */
  readonly world: string | null;
  /** Probability that a user makes a mistake, 0 to 1. */
  readonly mistakes: number;
  /** How the zone was kept before the story; absent or null = it is empty. */
  readonly arrival?: Arrival | null;
  readonly events: readonly Event[];
}

/** How a script is drawn from its seed. */
export interface ScriptOptions {
  readonly seed: number;
  /** The only class that strikes; null = all of them, now this and now that. */
  readonly only: string | null;
  readonly turns: number;
  /** Probability that a turn has a fault, 0 to 1. */
  readonly trouble: number;
  /** Probability that a user makes a mistake, 0 to 1. */
  readonly mistakes: number;
}

/** Classes that need a world of their own and do little in another. */
const HOME_ONLY = /^F(09|17|23|24|25|26)/;

/**
 * The usual script of a seed and a class; null = all classes, each fourth without faults, so that
 * nothing hides.
 */
export function usualScript(seed: number, only: string | null): Script {
  const trouble = only === null && seed % 4 === 0 ? 0 : 0.5;
  const script = drawScript({ seed, only, turns: 40, trouble, mistakes: 0.15 });
  return { ...script, arrival: drawArrival(seed) };
}

/** A script, the same for the same options. */
export function drawScript({ seed, only, turns, trouble, mistakes }: ScriptOptions): Script {
  const random = new SimRandom(seed ^ 0x5eed);
  const all = FAULTS.filter(({ id }) => !HOME_ONLY.test(id));
  const classes: readonly FaultClass[] = only === null ? all : [faultOf(only)];
  const events = Array.from({ length: turns }, (): Event => {
    const isStruck = random.chance(trouble);
    return {
      seed: Math.floor(random.next() * 2 ** 32),
      acts: random.chance(0.85),
      faults: isStruck ? [random.pick(classes).id] : [],
    };
  });
  return { version: 1, seed, world: only, mistakes, events };
}
