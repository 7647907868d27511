/**
 * Clauses that only a rare story misses: each with a kept script that does, played by every test
 * run with them. Data only.
 */
import type { Mutant } from "./mutant.ts";

/** A clause, and the script in `scripts/` that ends in `violation` without it. */
export interface KeptClause extends Mutant {
  readonly script: string;
  /** How its message begins. */
  readonly violation: string;
}

export const KEPT_CLAUSES: readonly KeptClause[] = [
  {
    drops: "ADR 0021 what the object wants now has to be what was heard",
    script: "late-twin.json",
    violation: "S3:",
    clause: "read-object-omits-record",
    to: "found !== null",
  },
];
