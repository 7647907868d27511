/** The cases hold, and without any one clause one of them is broken. */
import { expect, test } from "vitest";
import { FURTHER_CLAUSES } from "../mutants/further-clauses.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import type * as Rules from "./further-rules.ts";

// A bundle that has just been made from a file of ours that exports this function.
async function prove(mutant: Mutant | null): Promise<void> {
  const rules = (await importMutated("proofs/further-rules.ts", mutant)) as typeof Rules;
  rules.proveFurtherClusters();
}

test("Z-3 which further clusters take part", async () => {
  await expect(prove(null)).resolves.toBeUndefined();
});

test.each(FURTHER_CLAUSES)("without $drops a case is broken", async (clause) => {
  await expect(prove(clause)).rejects.toThrow(clause.breaks);
});
