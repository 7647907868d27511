/** The cases hold, and without any one clause one of them is broken. */
import { expect, test } from "vitest";
import { MERGED_CLAUSES } from "../mutants/merged-clauses.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import type * as Rules from "./merged-rules.ts";

// A bundle that has just been made from a file of ours that exports this function.
async function prove(mutant: Mutant | null): Promise<void> {
  const rules = (await importMutated("proofs/merged-rules.ts", mutant)) as typeof Rules;
  await rules.proveMergedNames();
}

test("Z-28 who has a part of a merged record set, and what keeps it", async () => {
  await expect(prove(null)).resolves.toBeUndefined();
});

test.each(MERGED_CLAUSES)("without $drops a case is broken", async (clause) => {
  await expect(prove(clause)).rejects.toThrow(clause.breaks);
});
