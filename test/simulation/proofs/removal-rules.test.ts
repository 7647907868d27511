/** The cases hold, and without any one clause one of them is broken. */
import { expect, test } from "vitest";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import { REMOVAL_CLAUSES } from "../mutants/removal-clauses.ts";
import type * as Rules from "./removal-rules.ts";

async function proveAll(mutant: Mutant | null): Promise<void> {
  // A bundle that has just been made from a file of ours that exports these functions.
  const rules = (await importMutated("proofs/removal-rules.ts", mutant)) as typeof Rules;
  rules.proveMembers();
  rules.proveSharedOwner();
  rules.proveScope();
  rules.provePrivateTargets();
  await rules.proveListers();
  await rules.proveEnds();
}

test("all cases hold", async () => {
  await expect(proveAll(null)).resolves.toBeUndefined();
});

test.each(REMOVAL_CLAUSES)("without $drops a case is broken", async (mutant) => {
  await expect(proveAll(mutant)).rejects.toThrow(mutant.breaks);
});
