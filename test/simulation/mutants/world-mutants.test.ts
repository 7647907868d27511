/**
 * Rules that whole stories look at, each seen to be missed: without it one of few seeds of a class
 * ends in its violation.
 */
import { expect, test } from "vitest";
import type { play as Play } from "../stories/play.ts";
import { usualScript } from "../stories/script.ts";
import { importMutated } from "./mutant.ts";
import { WORLD_MUTANTS } from "./world-mutants.ts";

const SEEDS = 40;

/** The first line of what ends the story; null = it holds. */
async function endOf(play: typeof Play, seed: number, only: string): Promise<string | null> {
  try {
    await play(usualScript(seed, only));
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.split("\n")[0] ?? "";
  }
}

test.each(WORLD_MUTANTS)("without $drops a story of $only ends in $violation", async (mutant) => {
  const { only, violation, seed: first } = mutant;
  const load = async (isMutated: boolean): Promise<typeof Play> => {
    const module = await importMutated("stories/play.ts", isMutated ? mutant : null);
    // The bundle has just been made from a file of ours that exports this function.
    return (module as { readonly play: typeof Play }).play;
  };
  const mutated = await load(true);
  const seeds = [first, ...Array.from({ length: SEEDS }, (_, index) => index + 1)];
  const killers: number[] = [];
  for (const seed of seeds) {
    if ((await endOf(mutated, seed, only))?.startsWith(violation) !== true) continue;
    killers.push(seed);
    break;
  }
  expect(killers, `no seed of ${SEEDS} misses it`).toHaveLength(1);
  for (const seed of killers) expect(await endOf(await load(false), seed, only)).toBeNull();
});
