/** Clauses of proofs/orphan-fences.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

export const ORPHAN_FENCE_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "an order for a fence counts for the text that was shown",
    clause: "fence-is-as-shown",
    breaks: /^a fence goes that is not as it was shown/,
  },
  {
    drops: "a fence whose owner id has records is no orphan",
    clause: "fence-with-records-is-no-orphan",
    to: "true",
    breaks: /^the fence of an owner with records is an orphan/,
  },
  {
    drops: "a fence of an id of ours is no orphan",
    clause: "own-fence-is-no-orphan",
    to: "known !== null && set.name !== null",
    breaks: /^the fence that stops us is an orphan/,
  },
  {
    drops: "removal of fences by a person, as before ADR 0083",
    clause: "orphans-may-be-removed",
    breaks: /^the fence of a gone owner cannot be removed/,
  },
];
