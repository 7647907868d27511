/** Fences of owners that are gone, and each clause without which the proof breaks (Z-17). */
import { expect, test } from "vitest";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import { ORPHAN_FENCE_CLAUSES } from "../mutants/orphan-fence-clauses.ts";
import type * as Proof from "./orphan-fences.ts";

async function prove(mutant: Mutant | null): Promise<void> {
  // The bundle has just been made from a file of ours that exports this function.
  const proof = (await importMutated("proofs/orphan-fences.ts", mutant)) as typeof Proof;
  await proof.proveOrphanFences();
}

test("Z-17 fences of owners that are gone are orphans, and go by an order alone", async () => {
  await prove(null);
});

test.each(ORPHAN_FENCE_CLAUSES)("Z-17 without $drops it breaks", async (mutant) => {
  await expect(prove(mutant)).rejects.toThrow(mutant.breaks);
});
