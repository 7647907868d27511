/**
 * A new source is one folder and one row, and its records are as safe as those of the others,
 * whatever becomes of the kinds that it reads besides its own.
 */
import { expect, test } from "vitest";
import { CONFIG_MAP, NODE } from "../../../src/model/kinds.ts";
import { HOST_SOURCES } from "../../support/sources/host-sources.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import { SOURCE_CLAUSES } from "../mutants/source-clauses.ts";
import { playSource, type Sort, type SourceStory, TROUBLES } from "./new-sources.ts";

const SORTS = Object.keys(HOST_SOURCES) as readonly Sort[];
const STORIES: readonly SourceStory[] = SORTS.flatMap((sort) =>
  [NODE, CONFIG_MAP].flatMap((kind) => TROUBLES.map((trouble) => ({ sort, kind, trouble }))),
);

test.each(STORIES)("Z-1 $sort while $kind.plural are $trouble, and listed anew", playSource);

/** How many stories a mutant does not survive. */
async function deathsOf(mutant: Mutant): Promise<readonly string[]> {
  const module = await importMutated("proofs/new-sources.ts", mutant);
  // The bundle has just been made from a file of ours that exports this function.
  const { playSource: play } = module as { readonly playSource: typeof playSource };
  const deaths: string[] = [];
  for (const story of STORIES)
    await play(story).catch((error: unknown) => {
      deaths.push(error instanceof Error ? error.message : String(error));
    });
  return deaths;
}

test.each(SOURCE_CLAUSES)("without $drops a story ends badly", async (mutant) => {
  const deaths = await deathsOf(mutant);
  expect(deaths.length).toBeGreaterThan(0);
  for (const death of deaths) expect(death).toMatch(/^[SLZ]-?\d+/);
});
