/** One name of several objects, and each clause without which the proof breaks (ADR 0126). */
import { expect, test } from "vitest";
import type { RuleMutant } from "../mutants/cluster-rules-clauses.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import type * as Proof from "./joined-names.ts";

const CLAUSES: readonly RuleMutant[] = [
  {
    drops: "ADR 0126 only the dialect joins",
    clause: "only-the-dialect-joins",
    breaks: /^objects are joined without the dialect/,
  },
  {
    drops: "ADR 0126 a value goes by a proof",
    clause: "joined-value-needs-a-proof",
    to: "if (verdict.leavers.length > 0) leavers.set(recordSetKeyText(own), verdict.leavers);",
    breaks: /^an address goes although its object lists the name/,
  },
  {
    drops: "ADR 0126 who leaves is asked",
    clause: "leavers-are-asked",
    to: "[]",
    breaks: /^an address goes whose object has the name again/,
  },
  {
    drops: "ADR 0126 who leaves is asked again until its value is gone",
    clause: "leavers-are-remembered",
    to: "absences.settled(name);",
    breaks: /^an address goes whose object has the name again/,
  },
];

async function prove(mutant: Mutant | null): Promise<void> {
  // The bundle has just been made from a file of ours that exports this function.
  const proof = (await importMutated("proofs/joined-names.ts", mutant)) as typeof Proof;
  await proof.proveJoinedNames();
}

test("an address goes with its object alone", async () => {
  await prove(null);
});

test.each(CLAUSES)("without $drops it breaks", async (mutant) => {
  await expect(prove(mutant)).rejects.toThrow(mutant.breaks);
});
