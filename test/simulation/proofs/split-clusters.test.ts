/** The stories hold, and without any one clause one of them is broken. */
import { expect, test } from "vitest";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import { SPLIT_CLAUSES } from "../mutants/split-clauses.ts";
import type * as Split from "./split-clusters.ts";

async function proveAll(mutant: Mutant | null): Promise<void> {
  const module = await importMutated("proofs/split-clusters.ts", mutant);
  // The bundle has just been made from a file of ours that exports this function.
  await (module as typeof Split).proveAll();
}

test("all stories hold", async () => {
  await expect(proveAll(null)).resolves.toBeUndefined();
});

test.each(SPLIT_CLAUSES)("without $drops a story is broken", async (mutant) => {
  await expect(proveAll(mutant)).rejects.toThrow(mutant.breaks);
});
