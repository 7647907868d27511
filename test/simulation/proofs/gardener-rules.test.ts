/** The cases hold, and without any one clause one of them is broken. */
import { expect, test } from "vitest";
import { GARDENER_RULE_CLAUSES } from "../mutants/gardener-rules-clauses.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import type * as Rules from "./gardener-rules.ts";
import type * as OwnerRules from "./owner-rules.ts";

async function proveAll(mutant: Mutant | null): Promise<void> {
  // Bundles that have just been made from files of ours that export these functions.
  const isOfOwners = mutant === null || /dns-owner|sync\//.test(mutant.file);
  if (isOfOwners) {
    const owners = (await importMutated("proofs/owner-rules.ts", mutant)) as typeof OwnerRules;
    owners.proveSwitches();
    await owners.proveOwnerFences();
  }
  if (isOfOwners && mutant !== null) return;
  const rules = (await importMutated("proofs/gardener-rules.ts", mutant)) as typeof Rules;
  rules.proveAnnotations();
  rules.proveReferences();
  rules.proveAdmission();
  await rules.proveMainClass();
  await rules.proveCarriedStatus();
}

test("all cases hold", async () => {
  await expect(proveAll(null)).resolves.toBeUndefined();
});

test.each(GARDENER_RULE_CLAUSES)("without $drops a case is broken", async (mutant) => {
  await expect(proveAll(mutant)).rejects.toThrow(mutant.breaks);
});
