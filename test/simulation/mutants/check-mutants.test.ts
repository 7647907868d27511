/**
 * Checks are seen to fail: with a program that does what they look for, a story that every test run
 * plays ends in them.
 */
import { expect, test } from "vitest";
import type { play as Play } from "../stories/play.ts";
import { usualScript } from "../stories/script.ts";
import { CHECK_MUTANTS } from "./check-mutants.ts";
import { importMutated } from "./mutant.ts";

test.each(CHECK_MUTANTS)("without $drops $only $seed ends in $ends", async (mutant) => {
  const { seed, only, ends } = mutant;
  const module = await importMutated("stories/play.ts", mutant);
  // The bundle has just been made from a file of ours that exports this function.
  const { play } = module as { readonly play: typeof Play };
  await expect(play({ ...usualScript(seed, only), arrival: null })).rejects.toThrow(ends);
});
