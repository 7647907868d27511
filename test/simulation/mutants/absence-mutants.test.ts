/**
 * Proof 1 (docs/safety.md#proof-1): the system without any one clause of Z-1 to Z-5 sends a removal
 * that it must not send, in one of few seeds, once the read of the object that stands behind all of
 * them has fallen, too. Without that read alone it passes the same seed; simulation.test.ts plays
 * many more with both.
 */
import { expect, test } from "vitest";
import { CLAUSES, type Clause, UNASKED } from "./absence-clauses.ts";
import { importMutated } from "./mutant.ts";

const SEEDS = 400;
const ENTRIES = { world: "stories/proof-play.ts", contributions: "proofs/histories.ts" } as const;

type Play = (seed: number) => Promise<unknown>;

async function load(clause: Clause, isMutated: boolean): Promise<Play> {
  const { behind = [] } = clause;
  const mutant = isMutated
    ? { ...clause, also: [UNASKED, ...behind] }
    : { ...UNASKED, also: behind };
  const module = await importMutated(ENTRIES[clause.dies], mutant);
  // The bundle has just been made from a file of ours that exports this function.
  return (module as { readonly playSeed: Play }).playSeed;
}

/** The violation that ends the seed, or null. Anything else that goes wrong is no proof. */
async function violationOf(play: Play, seed: number): Promise<string | null> {
  try {
    await play(seed);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (/^(S3|S7|Z-[1-5])/.test(message)) return message;
    throw error;
  }
}

/** A seed that dies without the clause, and with it does not; null = none. */
async function killer(play: Play, whole: Play, first: number): Promise<number | null> {
  const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);
  for (const seed of [first, ...seeds]) {
    if ((await violationOf(play, seed)) === null) continue;
    if ((await violationOf(whole, seed)) === null) return seed;
  }
  return null;
}

test.each(CLAUSES)("without $drops a removal is sent that must not be", async (clause) => {
  const [mutated, whole] = [await load(clause, true), await load(clause, false)];
  const seed = await killer(mutated, whole, clause.seed ?? 1);
  expect(seed, `no seed of ${SEEDS} dies without ${clause.drops} alone`).not.toBeNull();
});
