import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAULTS } from "../faults/index.ts";
import { Tally } from "../world/tally.ts";
import type { World, WorldOptions } from "../world/world.ts";
import { play } from "./play.ts";
import { type Script, usualScript } from "./script.ts";

const SEEDS = Number(process.env["ZONEKEEPER_SEEDS"] ?? 5);
const FIRST = Number(process.env["ZONEKEEPER_FIRST_SEED"] ?? 1);
/** Shorter than a story, so that some graces end in the middle of trouble. */
const GRACE_MS = 3_000;
const GRACE_SEEDS = Math.min(30, 4 * SEEDS);

async function run(
  seed: number,
  only: string | null,
  more: Partial<WorldOptions> = {},
): Promise<World> {
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
  // A class for each kind of back end.
  const seeds = id.startsWith("F23") ? Math.ceil(SEEDS * 0.6) : SEEDS;
  // One seed alone may miss it: then the next ones, five at most.
  const until = FIRST + Math.max(seeds, 5);
  for (let seed = FIRST; seed < FIRST + seeds || (tally.get(id) === 0 && seed < until); seed++)
    tally.merge((await run(seed, id)).tally.all());
  expect(tally.get(id), `${id} never happened`).toBeGreaterThan(0);
});

const MIXED_PART = Math.min(10, SEEDS * 6);
const MIXED = Math.ceil((SEEDS * 6) / MIXED_PART);

test.each(Array.from({ length: MIXED }, (_, part) => FIRST + part * MIXED_PART))(
  "all classes together, seeds from %i on",
  async (first) => {
    const tally = new Tally();
    for (let seed = first; seed < first + MIXED_PART; seed++)
      tally.merge((await run(seed, null)).tally.all());
    expect(tally.get("L1")).toBeGreaterThanOrEqual(MIXED_PART);
  },
);

test("Z-4 with a grace, S4 holds until it is over, and what it ended stays gone", async () => {
  let ended = 0;
  for (let seed = FIRST; seed < FIRST + GRACE_SEEDS; seed++)
    ended += (await run(seed, null, { noTargetsGraceMs: GRACE_MS })).auditor.gracesEnded;
  expect(ended, "no story came to the end of a grace").toBeGreaterThan(0);
});

const SCRIPTS = new URL("../scripts/", import.meta.url);

test.each(readdirSync(SCRIPTS))("kept script %s: what it once broke holds", async (file) => {
  // Written by `npm run replay -- --save`.
  const script = JSON.parse(readFileSync(new URL(file, SCRIPTS), "utf8")) as Script;
  expect((await play(script)).tally.get("L2")).toBe(1);
});
