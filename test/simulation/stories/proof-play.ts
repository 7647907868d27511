/**
 * What proof 1 plays: careless users, clusters that come and go, few other faults, and no end. One
 * stream of random numbers and no list of events, because nobody shortens what a mutant does.
 */
import { BEHAVIOURS } from "../faults/f11-normalisation.ts";
import { meddle } from "../world/foreign-writers.ts";
import { disturb, startProcess, weatherOf } from "../world/trouble.ts";
import { act } from "../world/users.ts";
import { World } from "../world/world.ts";
import { reported } from "./play.ts";

const TURNS = 60;
/**
 * Probabilities: trouble with a single call, a mistake of a user, a turn that disturbs a cluster.
 */
const TROUBLE = 0.03;
const MISTAKES = 0.4;
const DISTURBANCES = 0.15;

/** Plays one seed. Throws the first violation, with what had happened. */
export async function playSeed(seed: number): Promise<void> {
  await reported(new World({ seed, behaviours: BEHAVIOURS, isFenced: false }), takeTurns);
}

async function takeTurns(world: World): Promise<void> {
  const { random, clock } = world;
  for (const instance of world.instances) startProcess({ world, instance });
  for (let turn = 0; turn < TURNS; turn++) {
    world.weather = weatherOf(world, TROUBLE);
    takeTurn(world);
    await clock.advance(random.below(400));
    if (world.auditor.violation !== null) throw world.auditor.violation;
    for (const instance of world.instances) {
      if (instance.isRunning) continue;
      await clock.advance(random.below(2_000));
      // Who was outdated may have begun anew by itself.
      if (!instance.isRunning) startProcess({ world, instance });
    }
  }
}

function takeTurn(world: World): void {
  const { random } = world;
  const instance = random.chance(0.7) ? world.instances[0] : world.instances.at(-1);
  if (instance === undefined) return;
  if (random.chance(DISTURBANCES)) disturb({ world, instance });
  else if (random.chance(0.1)) world.foreign("turn", () => meddle(world));
  else act({ world, instance, mistakes: MISTAKES });
  if (random.chance(0.05)) instance.kill();
}
