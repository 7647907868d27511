/**
 * F18, Z-16: the updates of a new version wait; and a program that lets them pass is seen to do so.
 */
import { expect, test } from "vitest";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import { playVersion } from "./version-play.ts";

const SEEDS = Array.from({ length: 3 }, (_, index) => index + 1);

test("another version's first plan changes no more than nine record sets, or 30 %, before a person agrees", async () => {
  let held = 0;
  for (const seed of SEEDS) held += await playVersion(seed);
  expect(held, "nothing was held").toBeGreaterThan(0);
});

const MUTANTS: readonly Mutant[] = [
  {
    drops: "Z-16 the updates of a new version wait",
    clause: "updates-of-new-version-wait",
    to: "total < 0",
  },
];

test.each(MUTANTS)("without $drops one of few seeds is S5", async (mutant) => {
  const module = await importMutated("stories/version-play.ts", mutant);
  // The bundle has just been made from a file of ours that exports this function.
  const { playVersion: play } = module as { readonly playVersion: typeof playVersion };
  const ends = await Promise.allSettled(SEEDS.map((seed) => play(seed)));
  const reasons = ends.flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : []));
  expect(reasons.filter((reason) => reason.includes("S5: a new version"))).not.toHaveLength(0);
});
