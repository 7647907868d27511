/** Z-26 and Z-28 in every case of two namespaces, and without any one of their clauses. */
import { expect, test } from "vitest";
import { importMutated } from "../mutants/mutant.ts";
import { TENANT_CLAUSES } from "../mutants/tenant-clauses.ts";
import { playSeed } from "./tenants.ts";

test("Z-26, Z-28 one namespace takes nothing of another, at a name, around it, by a zone cut or as its heir", async () => {
  expect(await playSeed()).toBe(5550);
});

test.each(TENANT_CLAUSES)("without $drops a plan is wrong", async (clause) => {
  const module = await importMutated("proofs/tenants.ts", clause);
  // The bundle has just been made from a file of ours that exports this function.
  const mutated = module as { readonly playSeed: typeof playSeed };
  await expect(mutated.playSeed()).rejects.toThrow(new RegExp(`^${clause.rule}: `));
});
