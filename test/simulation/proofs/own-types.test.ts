/** Z-7 for types of back ends' own, and under the rule before. */
import { expect, test } from "vitest";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import { ownTypeTroubles } from "./own-types.ts";

const MUTANTS: readonly Mutant[] = [
  {
    drops: "a type that no standard knows (the rule before: four names)",
    clause: "unknown-type-is-an-alias",
    to: 'return number !== null && number < FIRST_PRIVATE_NUMBER ? "other" : type === "ALIAS" ? "alias" : "other";',
  },
  {
    drops: "what the provider says of its types",
    clause: "provider-types-count",
  },
];

test("Z-7 a stranger's record that may answer addresses bars ours, whatever its type is called", () => {
  expect(ownTypeTroubles()).toEqual([]);
});

test.each(MUTANTS)("without $drops a record mixes with another's, or is barred", async (mutant) => {
  const module = await importMutated("proofs/own-types.ts", mutant);
  // The bundle has just been made from a file of ours that exports this function.
  const mutated = module as { readonly ownTypeTroubles: typeof ownTypeTroubles };
  expect(mutated.ownTypeTroubles()).not.toEqual([]);
});
