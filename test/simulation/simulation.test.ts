import { expect, test } from "vitest";
import { play, type ScriptOptions, usual } from "./script.ts";
import type { World } from "./world.ts";

const SEEDS = Number(process.env["ZONEKEEPER_SEEDS"] ?? 200);
const FIRST = Number(process.env["ZONEKEEPER_FIRST_SEED"] ?? 1);
/** Shorter than a story, so that some graces end in the middle of trouble. */
const GRACE_MS = 3_000;
const GRACE_SEEDS = Math.min(40, SEEDS);
/** Seeds in one test, so that a failure names a small range. */
const PART = 20;

async function run(seed: number, more: Partial<ScriptOptions> = {}): Promise<World> {
  try {
    return await play({ ...usual(seed), ...more });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `seed ${seed}: ${reason}\nreplay: ZONEKEEPER_FIRST_SEED=${seed} ZONEKEEPER_SEEDS=1 npx vitest run --project simulation`,
    );
  }
}

for (let first = FIRST; first < FIRST + SEEDS; first += PART) {
  const last = Math.min(first + PART, FIRST + SEEDS) - 1;
  test(`seeds ${first} to ${last} keep S1–S4, L1, L2 and L4 under F01–F08, F11, F12`, async () => {
    for (let seed = first; seed <= last; seed++) await run(seed);
    expect(last).toBeGreaterThanOrEqual(first);
  });
}

test("Z-4 with a grace, S4 holds until it is over, and what it ended stays gone", async () => {
  let ended = 0;
  for (let seed = FIRST; seed < FIRST + GRACE_SEEDS; seed++)
    ended += (await run(seed, { noTargetsGraceMs: GRACE_MS })).gracesEnded;
  expect(ended, "no story came to the end of a grace").toBeGreaterThan(0);
});
