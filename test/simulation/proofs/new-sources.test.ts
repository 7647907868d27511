/**
 * A new source is one folder and one row, and its records are as safe as those of the others,
 * whatever becomes of the kinds that it reads besides its own.
 */
import { CONFIG_MAP, NODE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { HOST_SOURCES } from "../../support/sources/host-sources.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import { SOURCE_CLAUSES } from "../mutants/source-clauses.ts";
import {
  playLateSecondary,
  playSource,
  playUnlistedSecondary,
  type Sort,
  type SourceStory,
  TROUBLES,
} from "./new-sources.ts";

const SORTS = Object.keys(HOST_SOURCES) as readonly Sort[];
const STORIES: readonly SourceStory[] = SORTS.flatMap((sort) =>
  [NODE, CONFIG_MAP].flatMap((kind) => TROUBLES.map((trouble) => ({ sort, kind, trouble }))),
);

test.each(STORIES)("Z-1 $sort while $kind.plural are $trouble, and listed anew", playSource);

test.each(SORTS)("Z-2 %s while the watch of a secondary kind is late", playLateSecondary);
test.each(SORTS)("Z-3 %s that ends before a secondary kind is listed", playUnlistedSecondary);

interface Stories {
  readonly playSource: typeof playSource;
  readonly playLateSecondary: typeof playLateSecondary;
  readonly playUnlistedSecondary: typeof playUnlistedSecondary;
}

/** How many stories a mutant does not survive. */
async function deathsOf(mutant: Mutant): Promise<readonly string[]> {
  const module = await importMutated("proofs/new-sources.ts", mutant);
  // The bundle has just been made from a file of ours that exports these functions.
  const play = module as Stories;
  const deaths: string[] = [];
  const noteDeath = (error: unknown): void => {
    deaths.push(error instanceof Error ? error.message : String(error));
  };
  for (const story of STORIES) await play.playSource(story).catch(noteDeath);
  for (const sort of SORTS) {
    await play.playLateSecondary(sort).catch(noteDeath);
    await play.playUnlistedSecondary(sort).catch(noteDeath);
  }
  return deaths;
}

test.each(SOURCE_CLAUSES)("without $drops a story ends badly", async (mutant) => {
  const deaths = await deathsOf(mutant);
  expect(deaths.length).toBeGreaterThan(0);
  for (const death of deaths) expect(death).toMatch(/^[SLZ]-?\d+/);
});
