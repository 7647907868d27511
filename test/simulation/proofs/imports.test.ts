/** Zones that come in, and each clause without which the proof breaks (ADR 0125). */
import { expect, test } from "vitest";
import { IMPORT_CLAUSES } from "../mutants/import-clauses.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import type * as Proof from "./imports.ts";

async function prove(mutant: Mutant | null): Promise<void> {
  // The bundle has just been made from a file of ours that exports this function.
  const proof = (await importMutated("proofs/imports.ts", mutant)) as typeof Proof;
  await proof.proveImports();
}

test("hosts come in once, go late, and never in a circle", async () => {
  await prove(null);
});

test.each(IMPORT_CLAUSES)("without $drops it breaks", async (mutant) => {
  await expect(prove(mutant)).rejects.toThrow(mutant.breaks);
});
