/** Mutants of ours that behave as the tools of test/simulation/incidents did: each must die. */
import { expect, test } from "vitest";
import { INCIDENTS, type tellIncident } from "../incidents/index.ts";
import { importMutated, type Mutant } from "./mutant.ts";

const MUTANTS = INCIDENTS.flatMap(({ name, mutants }) =>
  mutants.map((mutant) => ({ name, ...mutant })),
);

/**
 * The message of the error that ends the story, or null; and what went wrong besides that nobody
 * caught.
 */
async function endOf(
  name: string,
  mutant: Mutant,
): Promise<{ readonly message: string | null; readonly uncaught: readonly unknown[] }> {
  const module = await importMutated("incidents/index.ts", mutant);
  // The bundle has just been made from a file of ours that exports this function.
  const { tellIncident: tell } = module as { readonly tellIncident: typeof tellIncident };
  const uncaught: unknown[] = [];
  const note = (reason: unknown): void => void uncaught.push(reason);
  process.on("unhandledRejection", note);
  try {
    await tell(name);
    return { message: null, uncaught };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error), uncaught };
  } finally {
    // Node.js reports unhandled rejections after all microtasks have run.
    await new Promise<void>((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
  }
}

test.each(MUTANTS)("$name: without $drops it happens", async ({ name, ends, ...mutant }) => {
  const { message, uncaught } = await endOf(name, mutant);
  expect(message).toMatch(/^[SLZ]-?\d+/);
  if (ends !== undefined) expect(message, "it behaves as the original did").toMatch(ends);
  expect(uncaught, "a mutant dies by what it does").toEqual([]);
});
