/** Rules about markers that another owner overwrote, each seen to be missed. */
import { expect, test } from "vitest";
import type { lostMarkerTroubles as Troubles } from "../proofs/lost-markers.ts";
import { importMutated, type Mutant } from "./mutant.ts";

interface MarkerMutant extends Mutant {
  /** How what is wrong begins. */
  readonly violation: string;
}

const MUTANTS: readonly MarkerMutant[] = [
  ...["created", "changed"].map((is) => ({
    drops: "Z-27 what our answered calls wrote is marked again",
    violation: `Z-27: ${is}: markers 0`,
    clause: "lost-markers-are-written-again",
    to: "return new Map(byKey);",
  })),
  {
    drops: "Z-27 records under change are remembered, too",
    violation: "Z-27: changed: markers 0",
    clause: "records-under-change-are-known",
  },
  {
    drops: "Z-27 what somebody else wrote there is not marked as ours",
    violation: "Z-27: overwritten: markers 1",
    clause: "foreign-data-is-not-marked",
  },
  {
    drops: "Z-27 what had no answer is not marked as ours",
    violation: "Z-27: unanswered: markers 1",
    clause: "unanswered-write-is-not-sure",
    to: "set !== undefined",
  },
];

async function troublesWith(mutant: Mutant | null): Promise<readonly string[]> {
  const module = await importMutated("proofs/lost-markers.ts", mutant);
  // The bundle has just been made from a file of ours that exports this function.
  return (module as { readonly lostMarkerTroubles: typeof Troubles }).lostMarkerTroubles();
}

test("markers that were lost come back at what is ours, and only there", async () => {
  expect(await troublesWith(null)).toEqual([]);
});

test.each(MUTANTS)("without $drops it ends in $violation", async (mutant) => {
  expect(await troublesWith(mutant)).toContain(mutant.violation);
});
