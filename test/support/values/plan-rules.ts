/** Planner rules for tests: everything allowed, absence proven, owners `me` and `me2`. */
import type { PlanRules } from "../../../src/plan/rules.ts";

/** Rules with the given parts replaced. */
export function rulesWith(pieces: Partial<PlanRules> = {}): PlanRules {
  return {
    owners: new Set(["me", "me2"]),
    mainOwner: "me",
    policy: "sync",
    adoption: { mode: "never" },
    managedTypes: new Set(["A", "AAAA", "CNAME", "TXT"]),
    defaultTtlSeconds: 300,
    clusterRank: {},
    absence: { proven: true, proof: "deleted-object" },
    delegatedAt: null,
    ...pieces,
  };
}

/** The verdict of a name whose gates are closed. */
export const UNPROVEN: Partial<PlanRules> = {
  absence: { proven: false, code: "NotSynced", message: "services are not listed yet" },
};
