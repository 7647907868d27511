/**
 * The fence in whole worlds (Z-17, S6): second processes, late writers, and other installations
 * that were given the owner id by mistake until a person settles it. Without a clause of the fence
 * somebody writes who must not.
 */
import { expect, test } from "vitest";
import { FENCE_CLAUSES } from "../mutants/fence-clauses.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import { type FencedStory, playFenced } from "./fence-stories.ts";

const SEEDS = [2, 4, 6] as const;
/** In which of the seeds each of these clauses is missed; the others die in fence-proof.test.ts. */
const MISSED: Readonly<Record<string, number>> = {
  "the compare of each batch": 2,
  "the demotion of a lower epoch": 4,
  "the stop of who is disputed": 1,
};

test.each(SEEDS)(
  "seed %i: both stop, one goes on, and a rolling update never stops",
  async (seed) => {
    const { writes, otherInstallations } = await playFenced(seed);
    expect(otherInstallations).toBeGreaterThan(0);
    expect(writes).toBeGreaterThan(otherInstallations);
  },
);

async function load(mutant: Mutant): Promise<(seed: number) => Promise<FencedStory>> {
  const module = await importMutated("stories/fence-stories.ts", mutant);
  // The bundle has just been made from a file of ours that exports this function.
  return (module as { readonly playFenced: typeof playFenced }).playFenced;
}

test.each(FENCE_CLAUSES.filter(({ drops }) => drops in MISSED))(
  "without $drops a story breaks a rule",
  async (mutant) => {
    const play = await load(mutant);
    await expect(play(MISSED[mutant.drops] ?? 0)).rejects.toThrow(/^(S6|Z-17): /);
  },
);
