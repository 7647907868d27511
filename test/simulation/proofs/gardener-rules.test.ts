/** The cases hold, and without any one clause one of them is broken. */
import { expect, test } from "vitest";
import { GARDENER_RULE_CLAUSES } from "../mutants/gardener-rules-clauses.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import { clauseOf } from "../mutants/named-clauses.ts";
import type * as AnnotationStatus from "./annotation-status.ts";
import type * as Rules from "./gardener-rules.ts";
import type * as OwnerContact from "./owner-contact.ts";
import type * as OwnerRules from "./owner-rules.ts";

/** Bundles only what a mutant is about. */
async function proveAll(mutant: Mutant | null): Promise<void> {
  const isAbout = (files: RegExp): boolean => mutant === null || files.test(clauseOf(mutant).file);
  if (isAbout(/src\/plan\/fuse/)) {
    const contact = (await importMutated("proofs/owner-contact.ts", mutant)) as typeof OwnerContact;
    contact.proveContacts();
  }
  if (isAbout(/annotation-verdict/)) {
    const path = "proofs/annotation-status.ts";
    ((await importMutated(path, mutant)) as typeof AnnotationStatus).proveAnnotationStatus();
  }
  // Bundles that have just been made from files of ours that export these functions.
  if (isAbout(/dns-owner|sync\/|transfer-request|plan\/removal/)) {
    const owners = (await importMutated("proofs/owner-rules.ts", mutant)) as typeof OwnerRules;
    owners.proveSwitches();
    owners.proveTaking();
    owners.provePermits();
    await owners.proveOwnerFences();
    await owners.proveOrphans();
  }
  if (!isAbout(/^src\/(model|sources|controllers|source-controllers\/entries)\//)) return;
  const rules = (await importMutated("proofs/gardener-rules.ts", mutant)) as typeof Rules;
  rules.proveAnnotations();
  rules.proveMistypedNames();
  rules.proveReferences();
  rules.proveAdmission();
  await rules.proveMainClass();
  await rules.proveContestedClass();
  await rules.proveCarriedStatus();
  await rules.provePaces();
}

test("all cases hold", async () => {
  await expect(proveAll(null)).resolves.toBeUndefined();
});

test.each(GARDENER_RULE_CLAUSES)("without $drops a case is broken", async (mutant) => {
  await expect(proveAll(mutant)).rejects.toThrow(mutant.breaks);
});
