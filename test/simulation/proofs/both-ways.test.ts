/** Both ways at once: the table, and its clauses; days of changes, and what they find without. */
import { expect, test } from "vitest";
import { runsOf } from "../../support/values/law-runs.ts";
import { BOTH_WAYS_CLAUSES } from "../mutants/both-ways-clauses.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import type * as Proof from "./both-ways.ts";

async function proofOf(mutant: Mutant | null): Promise<typeof Proof> {
  // A bundle that has just been made from a file of ours that exports these functions.
  return (await importMutated("proofs/both-ways.ts", mutant)) as typeof Proof;
}

test("days of changes on both sides leave what the table says", async () => {
  const { dayTroubles } = await proofOf(null);
  const troubles: string[] = [];
  for (let seed = 1; seed <= runsOf(300); seed++)
    troubles.push(...(await dayTroubles(seed, seed % 10 === 0 ? 24 : 6)));
  expect(troubles).toEqual([]);
}, 7_200_000);

test.each(BOTH_WAYS_CLAUSES)("without $drops it breaks", async (mutant) => {
  const { proveBothWays } = await proofOf(mutant);
  await expect(proveBothWays()).rejects.toThrow(mutant.breaks);
});
