/**
 * A standby writes nothing over its life, and the lead goes to who is better and well; without any
 * one clause a case is broken.
 */
import { expect, test } from "vitest";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import { PREFERRED_CLAUSES } from "../mutants/preferred-clauses.ts";
import { STANDBY_CLAUSES } from "../mutants/standby-clauses.ts";
import type * as Preferred from "./preferred-rules.ts";
import type * as Standby from "./standby-rules.ts";

// Bundles that have just been made from files of ours that export these functions.
async function proveStandby(mutant: Mutant | null): Promise<void> {
  await ((await importMutated("proofs/standby-rules.ts", mutant)) as typeof Standby).proveStandby();
}

async function provePreferred(mutant: Mutant | null): Promise<void> {
  const rules = (await importMutated("proofs/preferred-rules.ts", mutant)) as typeof Preferred;
  await rules.provePreferred();
}

test("a standby has the plan, and no call of it writes", async () => {
  await expect(proveStandby(null)).resolves.toBeUndefined();
});

test.each(STANDBY_CLAUSES)("without $drops a standby writes", async (clause) => {
  await expect(proveStandby(clause)).rejects.toThrow(clause.breaks);
});

test("who is preferred and well asks for the lead, and gets it", async () => {
  await expect(provePreferred(null)).resolves.toBeUndefined();
});

test.each(PREFERRED_CLAUSES)("without $drops a case is broken", async (clause) => {
  await expect(provePreferred(clause)).rejects.toThrow(clause.breaks);
});
