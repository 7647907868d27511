/** Rules of arriving and leaving, each seen to be missed: without it the arrival goes wrong. */
import { expect, test } from "vitest";
import type { arrivalTroubles as Troubles } from "../proofs/arrival.ts";
import { importMutated, type Mutant } from "./mutant.ts";

interface ArrivalMutant extends Mutant {
  /** How what is wrong begins. */
  readonly violation: string;
}

const BLOCKERS = "src/plan/blockers.ts";

const MUTANTS: readonly ArrivalMutant[] = [
  {
    drops: "Z-21 a generated entry carries no wish for a TTL",
    violation: "Z-21:",
    file: "src/gardener/dns-entry/wanted-record-sets.ts",
    from: "return isGenerated ? { ...item, ttlOnCreate: ttl } : { ...item, ttlSeconds: ttl };",
    to: "return { ...item, ttlSeconds: ttl };",
  },
  {
    drops: "Z-12 the marker of a wildcard is where external-dns has it",
    violation: "Z-12:",
    file: "src/ownership/txt/name-template.ts",
    from: 'return name.includes("*") && !starInNames ? null : name;',
    to: 'return name.includes("*") ? null : name;',
  },
  {
    drops: "Z-25 an entry with another name is not ours",
    violation: "Z-25: mine",
    file: "src/source-controllers/entries/entry-signs.ts",
    from: 'if (!hasGeneratedForm(name, source)) return "its name is not one that this program gives";',
    to: "if (!hasGeneratedForm(name, source)) return null;",
  },
  {
    drops: "Z-25 an entry without the label is not ours",
    violation: "Z-25: s0-service",
    file: "src/source-controllers/entries/entry-signs.ts",
    from: "const isEarlier = label === undefined && specManagers.length > 0;",
    to: "const isEarlier = label === undefined;",
  },
  {
    drops: "an annotation without a meaning here holds its object",
    violation: "targets:",
    file: "src/sources/shared/annotation-remarks.ts",
    from: "const isHeld = remarks.some(({ holds }) => holds) && listsNames(found);",
    to: "const isHeld = false;",
  },
  {
    drops: "Gardener's ignore freezes the records of a Service",
    violation: "ignore:",
    file: "src/source-controllers/entries/plan-entries.ts",
    from: "if (wanted !== null) return present === wanted ? null : { [IGNORE_ANNOTATION]: wanted };",
    to: "if (wanted !== null) return null;",
  },
  {
    drops: "Z-2 a record whose marker names no object is for the object that wants it",
    violation: "Z-2:",
    file: BLOCKERS,
    from: "  if (isForItsWisher(current, desired, context)) return null;",
    to: "",
  },
  {
    drops: "Z-3 nobody has a record without an object until every kind is read",
    violation: "Z-3:",
    file: BLOCKERS,
    from: 'return !absence.proven && absence.code === "KindUnknown";',
    to: "return !absence.proven;",
  },
  {
    drops: "Z-15 a record without an object is for its own owner id",
    violation: "Z-15:",
    file: BLOCKERS,
    from: "if (owner !== (desired.owner ?? rules.mainOwner) || !isSameKey(current, desired)) return false;",
    to: "if (owner === '' || !isSameKey(current, desired)) return false;",
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
