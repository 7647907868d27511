/** Nobody changes the part of another cluster; without a clause somebody does. */
import { expect, test } from "vitest";
import { runsOf } from "../../support/values/law-runs.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import type * as Play from "./merged-play.ts";

async function troublesOf(mutant: Mutant | null, seeds: number): Promise<readonly string[]> {
  // A bundle that has just been made from a file of ours that exports this function.
  const play = (await importMutated("proofs/merged-play.ts", mutant)) as typeof Play;
  return play.mergedTroubles(Array.from({ length: seeds }, (_, seed) => seed));
}

test("ADR 0118 each cluster changes its own part", async () => {
  expect(await troublesOf(null, runsOf(100))).toEqual([]);
});

test.each<Mutant & { readonly shows: RegExp }>([
  {
    drops:
      "ADR 0118 a write keeps the parts of others: one contributor removes an address of another one",
    clause: "parts-of-others-stay",
    to: "[]",
    shows: /of \S+ is gone/,
  },
])("without $drops it shows", async ({ shows, ...mutant }) => {
  expect((await troublesOf(mutant, 3)).join("\n")).toMatch(shows);
});
