/**
 * Faults that emptied external-dns 0.22 take nothing away here and publish nothing wrong.
 * ZONEKEEPER_SEEDS: how many stories of each fault; ZONEKEEPER_FIRST_SEED: the first of them.
 */
import { expect, test } from "vitest";
import { UNASKED } from "../mutants/absence-clauses.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import type * as Proof from "./source-faults.ts";
import { type FaultName, playSourceFault, SOURCE_FAULTS } from "./source-faults.ts";

const SEEDS = Number(process.env["ZONEKEEPER_SEEDS"] ?? 2);
const FIRST = Number(process.env["ZONEKEEPER_FIRST_SEED"] ?? 1);

const FAULTS = Object.entries(SOURCE_FAULTS).map(
  ([name, { title }]) => [name as FaultName, title] as const,
);

test.each(FAULTS)("%s: %s", async (name) => {
  let strikes = 0;
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) strikes += await playSourceFault(name, seed);
  expect(strikes, "it never happened").toBeGreaterThan(0);
});

interface FaultMutant extends Mutant {
  readonly fault: FaultName;
  readonly breaks: RegExp;
}

const MUTANTS: readonly FaultMutant[] = [
  { ...UNASKED, fault: "crd-listed-as-none", breaks: /: S3: / },
  { ...UNASKED, fault: "annotations-6424", breaks: /: S3: / },
  {
    drops: "ADR 0147 a target under the other prefix waits",
    clause: "unread-target-waits",
    to: "found",
    fault: "target-6748",
    breaks: /: (?:S2|S3): /,
  },
  {
    drops: "ADR 0147 a name under the other prefix stays",
    clause: "unread-names-stay",
    to: "complete: found.complete",
    fault: "target-6748",
    breaks: /: S3: /,
  },
  {
    drops: "ADR 0120 a private address waits in a public zone",
    clause: "private-target-waits",
    to: "null",
    fault: "private-address",
    breaks: /: S2: /,
  },
];
/** Seeds within which a story shows it. */
const UNTIL = 12;

test.each(MUTANTS)("without $drops a story of $fault ends badly", async (mutant) => {
  // The bundle has just been made from a file of ours that exports this function.
  const proof = (await importMutated("proofs/source-faults.ts", mutant)) as typeof Proof;
  const play = async (): Promise<void> => {
    for (let seed = 1; seed <= UNTIL; seed++) await proof.playSourceFault(mutant.fault, seed);
  };
  await expect(play()).rejects.toThrow(mutant.breaks);
});
