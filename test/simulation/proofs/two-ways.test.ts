/** Z-18 in every case of two ways to one apex, and without any one of its clauses. */
import { expect, test } from "vitest";
import { importMutated } from "../mutants/mutant.ts";
import { WAY_CLAUSES } from "../mutants/way-clauses.ts";
import { playSeed } from "./two-ways.ts";

test("Z-18 what is not proven to be one zone writes nothing, and what is goes on alone", async () => {
  expect(await playSeed()).toBe(56);
});

test.each(WAY_CLAUSES)("without $drops a record is wrong", async (clause) => {
  const module = await importMutated("proofs/two-ways.ts", clause);
  // The bundle has just been made from a file of ours that exports this function.
  const mutated = module as { readonly playSeed: typeof playSeed };
  await expect(mutated.playSeed()).rejects.toThrow(/^Z-18: /);
});
