/**
 * Proof 3 (docs/safety.md#proof-3), over the small world of fence-model.ts: no stale replica and no
 * second installation writes, whatever is paused, lost, late or refused; and whoever drops a clause
 * of the fence is found out.
 */
import { expect, test } from "vitest";
import { FENCE_CLAUSES } from "../mutants/fence-clauses.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import { playAll, playSeed } from "./fence-histories.ts";

const SEEDS = 300;

const SORTS = ["other", "half", "lease", "shared"] as const;

test.each(SORTS)(
  "every history of four steps keeps S6 and Z-17, and somebody writes in the end: %s",
  async (sort) => {
    expect(await playAll(4, sort)).toBeGreaterThan(6_000);
  },
);

test.each(SORTS)("long histories of two zones do, too: %s", async (sort) => {
  for (let seed = 1; seed <= SEEDS; seed++) await playSeed(seed, sort);
});

type Play = typeof playSeed;

async function load(mutant: Mutant | null): Promise<Play> {
  const module = await importMutated("proofs/fence-histories.ts", mutant);
  // The bundle has just been made from a file of ours that exports this function.
  return (module as { readonly playSeed: Play }).playSeed;
}

/** The first rule that is broken, with its seed. */
async function killer(
  play: Play,
): Promise<{ readonly seed: number; readonly rule: string } | null> {
  for (let at = 2; at <= 2 * SEEDS; at++) {
    const seed = Math.floor(at / 2);
    const message = await play(seed, at % 2 === 0 ? "other" : "half").then(
      () => "",
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (message === "") continue;
    expect(message).toMatch(/^(S6|Z-17|L1): /);
    return { seed, rule: message.slice(0, message.indexOf(":")) };
  }
  return null;
}

test.each(FENCE_CLAUSES)("without $drops a rule is broken", async (mutant) => {
  const died = await killer(await load(mutant));
  expect(died, `no seed of ${SEEDS} dies without ${mutant.drops}`).not.toBeNull();
  await (await load(null))(died?.seed ?? 0);
});
