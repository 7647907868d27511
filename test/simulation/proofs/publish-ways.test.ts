/** `--publish entries|direct`: a change of the way changes nothing in the zone (ADR 0037). */
import { expect, test } from "vitest";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import { WAY_CLAUSES } from "../mutants/source-clauses.ts";
import { playLeftEntry, playWays } from "./publish-ways.ts";

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);

test("entries and direct in turn, with kills in between", async () => {
  for (const seed of SEEDS) await playWays(seed);
});

test("Z-25 an entry that is not ours stays in charge of its name", playLeftEntry);

interface Proof {
  readonly playWays: typeof playWays;
  readonly playLeftEntry: typeof playLeftEntry;
}

async function deathOf(mutant: Mutant): Promise<string> {
  // The bundle has just been made from a file of ours that exports these functions.
  const play = (await importMutated("proofs/publish-ways.ts", mutant)) as Proof;
  try {
    await play.playLeftEntry();
    for (const seed of SEEDS) await play.playWays(seed);
    return "it survives";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test.each(WAY_CLAUSES)("without $drops a story ends badly", async (mutant) => {
  expect(await deathOf(mutant)).toMatch(/^[SLZ]-?\d+/);
});
