/** Clauses of the rules of proofs/preferred-rules.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

export const PREFERRED_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "ADR 0129 who asks for the lead was well for a time",
    clause: "who-asks-was-well-for-a-time",
    to: "return sinceMs !== null;",
    breaks: /^one that was well for no time asks/,
  },
  {
    drops: "ADR 0129 who asks for the lead would change nothing",
    clause: "who-asks-is-well",
    to: "false",
    breaks: /^one that would change the zone asks/,
  },
  {
    drops: "ADR 0129 the lead goes to a better one alone, so that it goes back once",
    clause: "only-a-better-one-gets-the-lead",
    to: "true",
    breaks: /^one that is no better gets the lead/,
  },
];
