/** Incidents of other tools, told to ours; and to mutants of ours that behave as the other tool did, which must die. */
import { expect, test } from "vitest";
import { INCIDENTS, tellIncident } from "./incidents/index.ts";
import { importMutated, type Mutant } from "./mutant.ts";

const MUTANTS = INCIDENTS.flatMap(({ name, mutants }) =>
  mutants.map((mutant) => ({ name, ...mutant })),
);

test.each(INCIDENTS)("$name ($ids): it does not happen to us", async ({ name }) => {
  expect((await tellIncident(name)).length).toBeGreaterThan(0);
});

/** The message of the error that ends the story, or null. */
async function endOf(name: string, mutant: Mutant): Promise<string | null> {
  const module = await importMutated("incidents/index.ts", mutant);
  // The bundle has just been made from a file of ours that exports this function.
  const { tellIncident: tell } = module as { readonly tellIncident: typeof tellIncident };
  try {
    await tell(name);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test.each(MUTANTS)("$name: without $drops it happens", async ({ name, ...mutant }) => {
  expect(await endOf(name, mutant)).toMatch(/^[SLZ]-?\d+/);
});
