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
    drops: "ADR 0021 what a living object is heard to want is asked for at its API server",
    script: "late-evidence.json",
    violation: "S3:",
    clause: "absence-is-confirmed",
    to: 'const TO_CONFIRM = new Set(["missing-from-list"]);',
  },
  {
    drops: "ADR 0021 what the object wants now has to be what was heard",
    script: "late-twin.json",
    violation: "S3:",
    clause: "read-object-omits-record",
    to: "found !== null",
  },
  {
    drops: "Z-10 an old marker that names another object goes with the first one's next write",
    script: "secondary-marker.json",
    violation: "L4:",
    clause: "obsolete-marker-goes",
    to: "change.marker === null",
  },
];
