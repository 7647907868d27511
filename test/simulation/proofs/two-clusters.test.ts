/** Z-3 in every case of two clusters, and without any one of its clauses. */
import { expect, test } from "vitest";
import { CLUSTER_CLAUSES } from "../mutants/cluster-clauses.ts";
import { importMutated } from "../mutants/mutant.ts";
import { playSeed } from "./two-clusters.ts";

test("Z-3 a removal is proven where it may be, and nowhere else", async () => {
  expect(await playSeed()).toBe(867);
});

test.each(CLUSTER_CLAUSES)("without $drops a verdict is wrong", async (clause) => {
  const module = await importMutated("proofs/two-clusters.ts", clause);
  // The bundle has just been made from a file of ours that exports this function.
  const mutated = module as { readonly playSeed: typeof playSeed };
  await expect(mutated.playSeed()).rejects.toThrow(/^Z-3: /);
});
