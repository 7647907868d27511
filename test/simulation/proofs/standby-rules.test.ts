/** A standby writes nothing over its life, and without either clause it would. */
import { expect, test } from "vitest";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import { STANDBY_CLAUSES } from "../mutants/standby-clauses.ts";
import type * as Rules from "./standby-rules.ts";

// A bundle that has just been made from a file of ours that exports this function.
async function prove(mutant: Mutant | null): Promise<void> {
  const rules = (await importMutated("proofs/standby-rules.ts", mutant)) as typeof Rules;
  await rules.proveStandby();
}

test("a standby has the plan, and no call of it writes", async () => {
  await expect(prove(null)).resolves.toBeUndefined();
});

test.each(STANDBY_CLAUSES)("without $drops a standby writes", async (clause) => {
  await expect(prove(clause)).rejects.toThrow(clause.breaks);
});
