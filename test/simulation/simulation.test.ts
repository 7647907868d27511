import { expect, test } from "vitest";
import { FAULTS } from "./faults/index.ts";
import { play } from "./play.ts";
import { usualScript } from "./script.ts";
import { Tally } from "./tally.ts";
import type { World, WorldOptions } from "./world.ts";

const SEEDS = Number(process.env["ZONEKEEPER_SEEDS"] ?? 7);
const FIRST = Number(process.env["ZONEKEEPER_FIRST_SEED"] ?? 1);
/** Shorter than a story, so that some graces end in the middle of trouble. */
const GRACE_MS = 3_000;
const GRACE_SEEDS = Math.min(30, 4 * SEEDS);

async function run(seed: number, only: string | null, more: Partial<WorldOptions> = {}): Promise<World> {
  try {
    return await play(usualScript(seed, only), more);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const option = only === null ? "" : ` --class ${only}`;
    throw new Error(`seed ${seed}: ${reason}\nreplay: npm run replay -- --seed ${seed}${option}`);
  }
}

test.each(FAULTS)("$id $title: all invariants hold, and it did happen", async ({ id }) => {
  const tally = new Tally();
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++)
    tally.merge((await run(seed, id)).tally.all());
  expect(tally.get(id), `${id} never happened`).toBeGreaterThan(0);
});
