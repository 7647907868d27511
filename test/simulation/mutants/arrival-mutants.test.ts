/** Rules of arriving and leaving, each seen to be missed: without it the arrival goes wrong. */
import { expect, test } from "vitest";
import type { arrivalTroubles as Troubles } from "../proofs/arrival.ts";
import { importMutated, type Mutant } from "./mutant.ts";

interface ArrivalMutant extends Mutant {
  /** How what is wrong begins. */
  readonly violation: string;
}

const MUTANTS: readonly ArrivalMutant[] = [
  {
    drops: "Z-21 a generated entry carries no wish for a TTL",
    violation: "Z-21:",
    clause: "generated-entry-sets-no-ttl",
    to: "return { ...item, ttlSeconds: ttl };",
  },
  {
    drops: "Z-12 the marker of a wildcard is where external-dns has it",
    violation: "Z-12:",
    clause: "wildcard-marker-name",
  },
  {
    drops: "Z-25 an entry with another name is not ours",
    violation: "Z-25: mine",
    clause: "entry-name-is-generated",
    to: "null",
  },
  {
    drops: "Z-25 an entry without the label is not ours",
    violation: "Z-25: s0-service",
    clause: "entry-has-the-label",
  },
  {
    drops: "ADR 0069 a generated entry out of a backup is not a user's (the rule before)",
    violation: "Z-25: a restored entry",
    clause: "restored-entry-is-linked-again",
    to: "isRestored === null",
  },
  {
    drops: "ADR 0069 an entry with the label of another object is a user's",
    violation: "Z-25: another label",
    clause: "restored-entry-has-our-label",
  },
  {
    drops: "ADR 0069 an entry of another name is a user's",
    violation: "Z-25: another name",
    clause: "restored-entry-has-its-name",
  },
  {
    drops: "ADR 0069 an entry with a controller is that one's",
    violation: "Z-25: another controller",
    clause: "restored-entry-has-no-controller",
  },
  {
    drops: "ADR 0069 an entry that somebody edited beside us is a user's",
    violation: "Z-25: an edited one",
    clause: "restored-entry-has-one-writer",
  },
  {
    drops:
      "ADR 0092 an entry that publishes for another object wants nothing itself (the rule before)",
    violation: "Z-15:",
    clause: "entry-of-another-wants-none",
    to: "...named.flatMap(({ provenance, isComplete }) => (isComplete ? provenance : [])),",
  },
  {
    drops: "ADR 0092 what succeeds an object has its rank",
    violation: "Z-15:",
    clause: "successor-has-the-rank",
    to: "return provenance === null;",
  },
  {
    drops: "ADR 0092 an entry that publishes for another object is not renamed",
    violation: "Z-15:",
    clause: "made-entry-is-not-renamed",
    to: "if (marker === null) return null;",
  },
  {
    drops: "an annotation without a meaning here holds its object",
    violation: "targets:",
    clause: "meaningless-annotation-holds",
  },
  {
    drops: "Gardener's ignore freezes the records of a Service",
    violation: "ignore:",
    clause: "ignore-freezes-entry",
    to: "return null;",
  },
  {
    drops: "Z-2 a record whose marker names no object is for the object that wants it",
    violation: "Z-2:",
    clause: "record-without-object-for-requester",
  },
  {
    drops: "Z-3 nobody has a record without an object until every kind is read",
    violation: "Z-3:",
    clause: "unowned-until-kinds-are-read",
  },
  {
    drops: "Z-15 a record without an object is for its own owner id",
    violation: "Z-15:",
    clause: "record-without-object-own-owner-id",
    to: "owner === ''",
  },
];

async function troublesWith(mutant: Mutant | null): Promise<readonly string[]> {
  const module = await importMutated("proofs/arrival.ts", mutant);
  // The bundle has just been made from a file of ours that exports this function.
  return (module as { readonly arrivalTroubles: typeof Troubles }).arrivalTroubles();
}

test("the arrival goes well", async () => {
  expect(await troublesWith(null)).toEqual([]);
});

test.each(MUTANTS)("without $drops it ends in $violation", async (mutant) => {
  const begins = (trouble: string): boolean => trouble.startsWith(mutant.violation);
  expect((await troublesWith(mutant)).filter(begins)).toHaveLength(1);
});
