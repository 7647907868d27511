/** Histories of the small world of the fence: all short ones, and long ones by seed. */
import { SimRandom } from "../world/sim-random.ts";
import { type CallOutcome, playFence, type Sort, type Step, type Who } from "./fence-model.ts";

const WHO: readonly Who[] = ["a1", "a2", "b"];
const ARM_FATES: readonly CallOutcome[] = ["fine", "lost-after", "late"];
const SEND_FATES: readonly CallOutcome[] = ["fine", "late"];
const FATES: readonly CallOutcome[] = [
  "fine",
  "fine",
  "lost-before",
  "lost-after",
  "late",
  "refused",
];

/**
 * Steps in one zone that do something after these: a batch is made before it is sent, and a replica
 * elected before that.
 */
function nextSteps(before: readonly Step[], sort: Sort): readonly Step[] {
  const isIn = (who: Who): boolean => who !== "a2" || before.some((step) => step.who === "a2");
  const last = (who: Who): Step | undefined => before.findLast((step) => step.who === who);
  const isReplica = (step: Step): boolean => step.do === "elect" && step.who !== "b";
  const holder = before.findLast(isReplica)?.who ?? "a1";
  const arms = WHO.filter(isIn).flatMap((who) =>
    ARM_FATES.map((outcome) => ({ do: "arm" as const, who, zone: 0, outcome })),
  );
  const sends = WHO.filter((who) => last(who)?.do === "arm").flatMap((who) =>
    SEND_FATES.map((outcome) => ({ do: "send" as const, who, zone: 0, outcome })),
  );
  const elected = holder === "a1" ? "a2" : "a1";
  const again: readonly Step[] = sort === "lease" ? [{ do: "elect", who: "b" }] : [];
  return [{ do: "elect", who: elected }, ...again, ...arms, ...sends];
}

/** Plays every history of one zone with so many steps; answers how many there were. */
export async function playAll(
  length: number,
  sort: Sort,
  before: readonly Step[] = [],
): Promise<number> {
  if (length === 0) {
    await story(before, 1, sort);
    return 1;
  }
  let count = 0;
  for (const step of nextSteps(before, sort))
    count += await playAll(length - 1, sort, [...before, step]);
  return count;
}

/** Plays a long history of two zones. */
export async function playSeed(seed: number, sort: Sort = "other"): Promise<void> {
  const random = new SimRandom(seed);
  const steps = Array.from({ length: 30 }, () => stepOf(random, sort));
  await story(steps, 2, sort);
}

function stepOf(random: SimRandom, sort: Sort): Step {
  if (random.chance(0.15))
    return { do: "elect", who: random.pick(WHO.slice(0, sort === "lease" ? 3 : 2)) };
  const who = random.pick(WHO.slice(0, random.chance(0.3) ? 3 : 2));
  const zone = random.chance(0.5) ? 1 : 0;
  return { do: random.chance(0.5) ? "arm" : "send", who, zone, outcome: random.pick(FATES) };
}

async function story(steps: readonly Step[], zones: number, sort: Sort): Promise<void> {
  try {
    await playFence(steps, zones, sort);
  } catch (error) {
    const story = steps.map((step) => Object.values(step).join(" ")).join("; ");
    throw new Error(`${error instanceof Error ? error.message : String(error)} after: ${story}`);
  }
}
