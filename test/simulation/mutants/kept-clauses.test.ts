/**
 * Kept scripts are seen to fail: without the clause that once was missing each ends in the
 * violation that it was kept for.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { play as Play } from "../stories/play.ts";
import type { Script } from "../stories/script.ts";
import { KEPT_CLAUSES } from "./kept-clauses.ts";
import { importMutated } from "./mutant.ts";

test.each(KEPT_CLAUSES)("without $drops $script ends in $violation", async (clause) => {
  const text = readFileSync(new URL(`../scripts/${clause.script}`, import.meta.url), "utf8");
  // Written by `npm run replay -- --save`.
  const script = JSON.parse(text) as Script;
  const module = await importMutated("stories/play.ts", clause);
  // The bundle has just been made from a file of ours that exports this function.
  const { play } = module as { readonly play: typeof Play };
  await expect(play(script)).rejects.toThrow(new RegExp(`^${clause.violation}`));
});
