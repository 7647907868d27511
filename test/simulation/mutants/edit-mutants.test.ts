/** Rules that tell an edit from something else, each seen to be missed. */
import { expect, test } from "vitest";
import type { editTroubles as Troubles } from "../proofs/edits.ts";
import { importMutated, type Mutant } from "./mutant.ts";

interface EditMutant extends Mutant {
  /** How what is wrong begins. */
  readonly violation: string;
}

const MUTANTS: readonly EditMutant[] = [
  {
    drops: "Z-16 a name that a Service was watched to give up is a strong removal",
    violation: "Z-16: watched:",
    clause: "watched-drop-is-strong",
    to: 'if (tombstone === null) return isAlive ? "object-dropped-name" : proof;',
  },
  {
    drops: "Z-16 what nobody watched is a weak removal",
    violation: "Z-16: unwatched:",
    clause: "unwatched-drop-is-weak",
    to: '"object-dropped-name"',
  },
  {
    drops: "Z-16 an entry that we delete proves no more than what its Service's end was",
    violation: "Z-16: lost:",
    clause: "missing-from-list-is-weak",
    to: '"deleted-object"',
  },
  {
    drops: "Z-16 a weak proof lets three go, whatever the strong limit is",
    violation: "Z-16: unwatched:",
    clause: "weak-count",
    to: "1e9",
  },
];

async function troublesWith(mutant: Mutant | null): Promise<readonly string[]> {
  const module = await importMutated("proofs/edits.ts", mutant);
  // The bundle has just been made from a file of ours that exports this function.
  return (module as { readonly editTroubles: typeof Troubles }).editTroubles();
}

test("edits go through, and only they", async () => {
  expect(await troublesWith(null)).toEqual([]);
});

test.each(MUTANTS)("without $drops it ends in $violation", async (mutant) => {
  const begins = (trouble: string): boolean => trouble.startsWith(mutant.violation);
  expect((await troublesWith(mutant)).filter(begins)).toHaveLength(1);
});
