/** Clauses of the rules of proofs/standby-rules.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

export const STANDBY_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "ADR 0129 the clusters of a standby are previews",
    clause: "standby-previews-clusters",
    to: "const isStandby = false;",
    breaks: /^a standby writes: /,
  },
  {
    drops: "ADR 0129 a standby is a dry run",
    clause: "standby-is-a-dry-run",
    to: "dryRun: config.publish.dryRun",
    breaks: /^a standby writes/,
  },
];
