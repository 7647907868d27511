/**
 * What happens in one seed: users, strangers and faults take turns at random for a while; then the faults end, time
 * goes on, and the world must have converged and be quiet. The same seed gives the same story.
 */
import { DNS_ENTRY } from "../../src/model/kinds.ts";
import { checkConverged, Violation } from "./checks.ts";
import { RELOAD_MS } from "./instance.ts";
import { meddle } from "./strangers.ts";
import { disturb, startProcess, weatherOf } from "./trouble.ts";
import { act } from "./users.ts";
import { CALM, World } from "./world.ts";
import { contentText } from "./zone-truth.ts";

/** How one seed is played. */
export interface ScriptOptions {
  readonly seed: number;
  /** Turns of users, strangers and faults. */
  readonly turns: number;
  /** Probability of trouble with a single call, 0 to 1. */
  readonly trouble: number;
  /** Probability that a user makes a mistake, 0 to 1. */
  readonly mistakes: number;
  /** Probability that a turn disturbs a cluster, 0 to 1. */
  readonly disturbances: number;
  /** `--no-targets-grace` of every process, milliseconds; absent = for ever. */
  readonly noTargetsGraceMs?: number;
}

/** The usual play of a seed; each fourth has no trouble with calls, so that nothing hides behind it. */
export function usual(seed: number): ScriptOptions {
  const trouble = seed % 4 === 0 ? 0 : 0.15;
  return { seed, turns: 40, trouble, mistakes: 0.15, disturbances: 0.1 };
}

/** What proof 1 plays: careless users, clusters that come and go, few other faults, and no end. */
export async function playSeed(seed: number): Promise<void> {
  const options = { seed, turns: 60, trouble: 0.03, mistakes: 0.4, disturbances: 0.15 };
  await told(new World(seed), (world) => takeTurns(world, options));
}

/** Milliseconds after the end of trouble until everything stands; less than a reload, which must not be needed. */
const CONVERGED_MS = 240_000;

/** Plays one seed. Throws the first violation, with what had happened. */
export async function play(options: ScriptOptions): Promise<World> {
  return told(new World(options.seed, options.noTargetsGraceMs), async (world) => {
    await takeTurns(world, options);
    await calmDown(world);
  });
}

async function told(world: World, happens: (world: World) => Promise<void>): Promise<World> {
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
      ...instance.cluster.all(DNS_ENTRY).map((entry) => `  ${JSON.stringify(entry)}`),
      `open: ${instance.explain()}`,
    ]),
  ].join("\n");
}

async function takeTurns(world: World, options: ScriptOptions): Promise<void> {
  const { random, clock } = world;
  for (const instance of world.instances) startProcess({ world, instance });
  for (let turn = 0; turn < options.turns; turn++) {
    world.weather = weatherOf(world, options.trouble);
    takeTurn(world, options);
    await clock.advance(random.below(400));
    if (world.violation !== null) throw world.violation;
    for (const instance of world.instances) {
      if (instance.isRunning) continue;
      await clock.advance(random.below(2_000));
      startProcess({ world, instance });
    }
  }
}

function takeTurn(world: World, { mistakes, disturbances }: ScriptOptions): void {
  const { random } = world;
  const instance = random.chance(0.7) ? world.instances[0] : world.instances.at(-1);
  if (instance === undefined) return;
  if (random.chance(disturbances)) disturb({ world, instance });
  else if (random.chance(0.1)) world.foreign("turn", () => meddle(world));
  else act({ world, instance, mistakes });
  if (random.chance(0.05)) instance.kill();
}

/** The end of trouble: L1 and L4 after a bounded time, then L2. */
async function calmDown(world: World): Promise<void> {
  const { instances } = world;
  world.weather = CALM;
  world.note("calm");
  for (const instance of instances) if (!instance.isRunning) instance.start(null);
  await pass(world, CONVERGED_MS);
  for (const { truth, owner } of instances)
    checkConverged(world.content(), { truth, owner, ttl: world.zone.behaviour.ttl });
  // A stranger's write in the very moment of ours may be seen with the next reload only.
  await pass(world, 2 * RELOAD_MS - CONVERGED_MS);
  const { ownWrites } = world;
  const clusterWrites = instances.map(({ cluster }) => cluster.writes.length);
  await pass(world, 2 * RELOAD_MS);
  if (world.ownWrites !== ownWrites) throw new Violation("L2: the zone is written again and again");
  for (const [index, { cluster }] of instances.entries())
    if (cluster.writes.length !== clusterWrites[index])
      throw new Violation(`L2: objects are written again: ${cluster.writes.at(-1)}`);
}

async function pass(world: World, forMs: number): Promise<void> {
  await world.clock.advance(forMs);
  if (world.violation !== null) throw world.violation;
}
