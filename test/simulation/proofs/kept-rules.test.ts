/** Rules that stories seldom meet, and each clause without which one of them breaks. */
import { expect, test } from "vitest";
import type { RuleMutant } from "../mutants/cluster-rules-clauses.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import type * as Proof from "./kept-rules.ts";

const CLAUSES: readonly RuleMutant[] = [
  {
    drops: "ADR 0021 what a living object is heard to want is asked for at its API server",
    clause: "absence-is-confirmed",
    to: 'const TO_CONFIRM = new Set(["missing-from-list"]);',
    breaks: /^a record goes that its living object wants/,
  },
  {
    drops: "Z-10 an old marker that names another object goes with the first one's next write",
    clause: "obsolete-marker-goes",
    to: "change.marker === null",
    breaks: /^(a marker of an object that is gone stays|the names are as wanted)/,
  },
  {
    drops: "Z-27 equal data that no call of ours wrote is another's",
    clause: "unwritten-data-is-foreign",
    to: "views.slice(99).length > 0",
    breaks: /^data that no call of ours wrote is taken for ours/,
  },
];

async function prove(mutant: Mutant | null): Promise<void> {
  // The bundle has just been made from a file of ours that exports this function.
  const proof = (await importMutated("proofs/kept-rules.ts", mutant)) as typeof Proof;
  await proof.proveKeptRules();
}

test("what stories seldom meet holds", async () => {
  await prove(null);
});

test.each(CLAUSES)("without $drops the proof breaks", async (clause) => {
  await expect(prove(clause)).rejects.toThrow(clause.breaks);
});
