/** The cases hold, and without any one clause one of them is broken. */
import { expect, test } from "vitest";
import { CHOICE_CLAUSES } from "../mutants/choice-clauses.ts";
import { ENTRY_CLAUSES } from "../mutants/entry-clauses.ts";
import { HAND_OVER_CLAUSES } from "../mutants/hand-over-clauses.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import { READER_CLAUSES } from "../mutants/reader-clauses.ts";
import { REPEAT_CLAUSES } from "../mutants/repeat-clauses.ts";
import type * as Choice from "./choice-rules.ts";
import type * as Entries from "./entry-rules.ts";
import type * as HandOver from "./hand-over.ts";
import type * as Readers from "./reader-rules.ts";
import type * as Repeats from "./repeat-rules.ts";

// Bundles that have just been made from files of ours that export these functions.
async function proveChoice(mutant: Mutant | null): Promise<void> {
  const rules = (await importMutated("proofs/choice-rules.ts", mutant)) as typeof Choice;
  rules.proveAccessToProviders();
  rules.proveChoice();
  rules.provePrecedence();
  rules.proveRemovers();
  rules.proveNotedZones();
  rules.proveTypes();
  rules.proveMarks();
  await rules.proveOwnerIds();
  await rules.proveTargetClass();
}

async function proveEntries(mutant: Mutant | null): Promise<void> {
  const rules = (await importMutated("proofs/entry-rules.ts", mutant)) as typeof Entries;
  rules.proveCounts();
  rules.proveNotes();
  await rules.proveLookups();
  await rules.proveOperations();
  await rules.proveMoves();
  await rules.proveFormerNames();
  await rules.proveHalfRename();
  await rules.proveRenames();
}

async function proveHandOvers(mutant: Mutant | null): Promise<void> {
  const rules = (await importMutated("proofs/hand-over.ts", mutant)) as typeof HandOver;
  rules.proveSameObject();
  await rules.proveHandOver();
  await rules.proveDetour();
  await rules.proveNothingNew();
  rules.proveNotesRest();
  rules.proveFormerKeys();
  await rules.proveRenamedHandOver();
  await rules.proveLeftProvider();
}

async function proveReaders(mutant: Mutant | null): Promise<void> {
  const rules = (await importMutated("proofs/reader-rules.ts", mutant)) as typeof Readers;
  rules.proveReaders();
  await rules.proveExcludedDomains();
}

async function proveRepeats(mutant: Mutant | null): Promise<void> {
  const rules = (await importMutated("proofs/repeat-rules.ts", mutant)) as typeof Repeats;
  rules.proveSelections();
  await rules.proveOwnStatus();
  await rules.proveCreated();
}

test("all cases hold", async () => {
  await expect(proveChoice(null)).resolves.toBeUndefined();
  await expect(proveEntries(null)).resolves.toBeUndefined();
  await expect(proveHandOvers(null)).resolves.toBeUndefined();
  await expect(proveReaders(null)).resolves.toBeUndefined();
  await expect(proveRepeats(null)).resolves.toBeUndefined();
});

test.each(CHOICE_CLAUSES)("without $drops a case of the choice is broken", async (mutant) => {
  await expect(proveChoice(mutant)).rejects.toThrow(mutant.breaks);
});

test.each(ENTRY_CLAUSES)("without $drops a case of entries is broken", async (mutant) => {
  await expect(proveEntries(mutant)).rejects.toThrow(mutant.breaks);
});

test.each(HAND_OVER_CLAUSES)("without $drops an entry moves badly", async (mutant) => {
  await expect(proveHandOvers(mutant)).rejects.toThrow(mutant.breaks);
});

test.each(READER_CLAUSES)("without $drops a case of readers is broken", async (mutant) => {
  await expect(proveReaders(mutant)).rejects.toThrow(mutant.breaks);
});

test.each(REPEAT_CLAUSES)("without $drops a case of repeats is broken", async (mutant) => {
  await expect(proveRepeats(mutant)).rejects.toThrow(mutant.breaks);
});
