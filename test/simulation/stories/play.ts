/**
 * Plays a script: users, strangers and faults take turns; then the faults end, time goes on, and
 * the world must have converged and be quiet. The same script gives the same story.
 */
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import { checkAtEnd } from "../checks/at-end.ts";
import { BEHAVIOURS } from "../faults/f11-normalisation.ts";
import { faultOf } from "../faults/index.ts";
import { arrive } from "../world/arrivals.ts";
import { act } from "../world/users.ts";
import { CALM, type Weather, World, type WorldOptions } from "../world/world.ts";
import { contentText } from "../world/zone-truth.ts";
import type { Event, Script } from "./script.ts";

/** Plays a script to its end. Throws the first violation, with what had happened. */
export function play(script: Script, more: Partial<WorldOptions> = {}): Promise<World> {
  return reported(worldOf(script, more), async (world) => {
    await arrive(world);
    await takeTurns(world, script);
    await checkAtEnd(world);
  });
}

function worldOf({ seed, world, arrival = null }: Script, more: Partial<WorldOptions>): World {
  const own = world === null ? {} : faultOf(world).world;
  return new World({ seed, arrival, behaviours: BEHAVIOURS, ...own, ...more });
}

/** Lets it happen; an error tells what had happened before. */
export async function reported(
  world: World,
  happens: (world: World) => Promise<void>,
): Promise<World> {
  try {
    await happens(world);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}\n${storyOf(world)}`, { cause: error });
  }
  return world;
}

function storyOf(world: World): string {
  return [
    ...world.diary.slice(-70),
    "zone:",
    ...world.content().map((set) => `  ${contentText(set)}`),
    ...world.instances.flatMap((instance) => [
      `wanted by users of ${instance.owner}:`,
      ...instance.truth.objects().map((wanted) => `  ${JSON.stringify(wanted)}`),
      "entries:",
      ...instance.cluster.all(DNS_ENTRY).map((entry) => `  ${JSON.stringify(entry).slice(0, 900)}`),
      `open: ${instance.explain()}`,
    ]),
  ].join("\n");
}

async function takeTurns(world: World, script: Script): Promise<void> {
  const { random, clock } = world;
  for (const instance of world.instances) instance.start();
  for (const event of script.events) {
    random.reseed(event.seed);
    takeTurn(world, event, script.mistakes);
    if (world.pauseMs > 0) await clock.pause(world.pauseMs);
    world.pauseMs = 0;
    await clock.advance(random.below(400));
    if (world.auditor.violation !== null) throw world.auditor.violation;
    for (const instance of world.instances) {
      if (instance.isRunning) continue;
      await clock.advance(random.below(2_000));
      // Who was outdated may have begun anew by itself.
      if (!instance.isRunning) instance.start();
    }
  }
}

function takeTurn(world: World, { acts, faults }: Event, mistakes: number): void {
  const { random } = world;
  const instance = random.chance(0.7) ? world.instances[0] : world.instances.at(-1);
  if (instance === undefined) return;
  world.weather = together(faults.map((id) => faultOf(id).strike({ world, instance })));
  if (acts) act({ world, instance, mistakes });
}

/** The faults of one event at once. */
function together(all: readonly Partial<Weather>[]): Weather {
  return {
    passage: (what) => {
      const passages = all.map((one) => one.passage?.(what) ?? CALM.passage(what));
      return passages.find((passage) => passage !== "pass") ?? "pass";
    },
    apply: (groups) => all.flatMap((one) => one.apply?.(groups) ?? []),
    mood: () => all.map((one) => one.mood?.()).find((mood) => mood !== undefined) ?? CALM.mood(),
    read: () => all.flatMap((one) => one.read?.() ?? []),
  };
}
