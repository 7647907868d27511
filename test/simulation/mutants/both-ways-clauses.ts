/** Clauses of proofs/both-ways.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

export const BOTH_WAYS_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "who changes a record back five times within an hour is left alone",
    clause: "fights-end",
    to: "true",
    breaks: /^rivals are fought: 5 times/,
  },
  {
    drops: "who edits an imported object back five times within an hour is left alone",
    clause: "import-fights-end",
    to: "const isFought = () => one.status.inSync < 0;",
    breaks: /^rivals are fought: 5 times/,
  },
];
