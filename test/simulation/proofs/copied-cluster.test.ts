/**
 * Z-17: two copies of a cluster (a snapshot that was restored beside the original) share UID, Lease
 * and state. Neither can know that from its own cluster; the zone shows it.
 */
import { expect, test } from "vitest";
import { COPY_CLAUSES } from "../mutants/fence-clauses.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import { type CopyStory, playCopies } from "./copied-cluster.ts";

const SAME_EPOCH: CopyStory = { startAfterMs: 0, restartsBoth: true };
const STORIES: readonly CopyStory[] = [
  SAME_EPOCH,
  { startAfterMs: 500, restartsBoth: true },
  { startAfterMs: 0, restartsBoth: false },
  { startAfterMs: 1_250, restartsBoth: false },
];

test.each(STORIES)("both stop after a turn each, and a person says which goes on: %j", playCopies);

async function load(mutant: Mutant): Promise<typeof playCopies> {
  const module = await importMutated("proofs/copied-cluster.ts", mutant);
  // The bundle has just been made from a file of ours that exports this function.
  return (module as { readonly playCopies: typeof playCopies }).playCopies;
}

test.each(COPY_CLAUSES)("without $drops both write", async (mutant) => {
  const play = await load(mutant);
  await expect(play(SAME_EPOCH)).rejects.toThrow(/^Z-17: /);
});
