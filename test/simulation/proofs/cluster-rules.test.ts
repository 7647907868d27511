/** The cases hold, and without any one clause one of them is broken. */
import { expect, test } from "vitest";
import { CLUSTER_RULE_CLAUSES } from "../mutants/cluster-rules-clauses.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import type * as Rules from "./cluster-rules.ts";

async function proveAll(mutant: Mutant | null): Promise<void> {
  const module = await importMutated("proofs/cluster-rules.ts", mutant);
  // The bundle has just been made from a file of ours that exports these functions.
  const rules = module as typeof Rules;
  rules.proveDefinitions();
  rules.proveClusterIds();
  rules.proveAccess();
  await rules.proveDeletions();
}

test("all cases hold", async () => {
  await expect(proveAll(null)).resolves.toBeUndefined();
});

test.each(CLUSTER_RULE_CLAUSES)("without $drops a case is broken", async (mutant) => {
  await expect(proveAll(mutant)).rejects.toThrow(mutant.breaks);
});
