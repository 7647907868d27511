/** Changes are taken back, and nothing else; without its comparison a foreign value is lost. */
import { expect, test } from "vitest";
import { runsOf } from "../../support/values/law-runs.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import type * as Play from "./undo-play.ts";

async function troublesOf(mutant: Mutant | null, seeds: number): Promise<readonly string[]> {
  // A bundle that has just been made from a file of ours that exports this function.
  const play = (await importMutated("proofs/undo-play.ts", mutant)) as typeof Play;
  return play.undoTroubles(Array.from({ length: seeds }, (_, seed) => seed));
}

test("what was undone is as it was, and no foreign value changed", async () => {
  expect(await troublesOf(null, runsOf(300))).toEqual([]);
});

test.each<Mutant>([
  {
    drops: "ADR 0122 undo compares what is there",
    clause: "undo-compares-what-is-there",
    to: "true",
  },
])("without $drops a stranger's value is lost", async (mutant) => {
  expect((await troublesOf(mutant, 10)).join("\n")).toMatch(/a stranger's value is/);
});
