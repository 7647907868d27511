/** The cases hold, and without any one clause the proof of its table is broken. */
import { describe, expect, test } from "vitest";
import {
  ANNOTATION_STATUS_CLAUSES,
  GARDENER_RULE_CLAUSES,
  OWNER_CONTACT_CLAUSES,
  OWNER_RULE_CLAUSES,
} from "../mutants/gardener-rules-clauses.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import type * as AnnotationStatus from "./annotation-status.ts";
import type * as Rules from "./gardener-rules.ts";
import type * as OwnerContact from "./owner-contact.ts";
import type * as OwnerRules from "./owner-rules.ts";

// Bundles that have just been made from files of ours that export these functions.
async function proveOwners(mutant: Mutant | null): Promise<void> {
  const owners = (await importMutated("proofs/owner-rules.ts", mutant)) as typeof OwnerRules;
  owners.proveSwitches();
  owners.proveTaking();
  owners.provePermits();
  await owners.proveOwnerFences();
  await owners.proveOrphans();
}

async function proveRules(mutant: Mutant | null): Promise<void> {
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

async function proveContacts(mutant: Mutant | null): Promise<void> {
  const contact = (await importMutated("proofs/owner-contact.ts", mutant)) as typeof OwnerContact;
  contact.proveContacts();
}

async function proveAnnotationStatus(mutant: Mutant | null): Promise<void> {
  const path = "proofs/annotation-status.ts";
  ((await importMutated(path, mutant)) as typeof AnnotationStatus).proveAnnotationStatus();
}

describe.each([
  ["owner-rules", proveOwners, OWNER_RULE_CLAUSES],
  ["gardener-rules", proveRules, GARDENER_RULE_CLAUSES],
  ["owner-contact", proveContacts, OWNER_CONTACT_CLAUSES],
  ["annotation-status", proveAnnotationStatus, ANNOTATION_STATUS_CLAUSES],
] as const)("%s", (_, prove, clauses) => {
  test("all cases hold", async () => {
    await expect(prove(null)).resolves.toBeUndefined();
  });

  test.each(clauses)("without $drops a case is broken", async (mutant) => {
    await expect(prove(mutant)).rejects.toThrow(mutant.breaks);
  });
});
