/** The clauses of Z-26 and Z-28 as the source has them, each with its loss. Data only. */
import type { Mutant } from "./mutant.ts";

const TENANTS = "src/plan/tenants.ts";
const CONFLICTS = "src/plan/resolve-conflicts.ts";
const CUT = "src/sync/zone/cut-blocker.ts";

/** A clause, and the rule that its loss breaks. */
export interface TenantClause extends Mutant {
  readonly rule: "Z-26" | "Z-28";
}

/** One line a clause; all die in proofs/tenants.ts. */
export const TENANT_CLAUSES: readonly TenantClause[] = [
  {
    drops: "Z-28 a name has one tenant (the rule before: a key has one object)",
    rule: "Z-28",
    file: TENANTS,
    from: "if (a.namespace !== b.namespace) return false;",
    to: "",
  },
  {
    drops: "Z-28 the first winner has the name",
    rule: "Z-28",
    file: CONFLICTS,
    from: "holderBefore(row, accepted, context.rules);",
    to: "null;",
  },
  {
    drops: "Z-28 a record has the name while its object is not known",
    rule: "Z-28",
    file: "src/plan/blockers.ts",
    from: "return holdTaken(other, desired, context);",
    to: "return null;",
  },
  {
    drops: "Z-28 what existed before stays",
    rule: "Z-28",
    file: CONFLICTS,
    from: "if (row.incumbency === 0) return null;",
    to: "",
  },
  {
    drops: "Z-28 equal data is no conflict",
    rule: "Z-28",
    file: CONFLICTS,
    from: "else if (isSameRecord(winner.desired, contender)) {",
    to: "else if (winners.length === 0) {",
  },
  {
    drops: "Z-26 a cut takes no names of others (the rule before: any cut is written)",
    rule: "Z-26",
    file: CUT,
    from: "if (taken === null) return null;",
    to: "return null;",
  },
  {
    drops: "Z-26 records of strangers block",
    rule: "Z-26",
    file: CUT,
    from: "return tenant !== null && state.owned.isOwnedByUs(set)",
    to: "return tenant === null || state.owned.isOwnedByUs(set)",
  },
  {
    drops: "Z-26 a wildcard that answers there blocks",
    rule: "Z-26",
    file: CUT,
    from: ": [...below, ...wildcardsOver(desired.name, context)];",
    to: ": below;",
  },
  {
    drops: "Z-26 what is wanted blocks before it exists",
    rule: "Z-26",
    file: CUT,
    from: "if (other !== undefined) return",
    to: "if (other === null) return",
  },
  {
    drops: "Z-26 what waits for its address blocks",
    rule: "Z-26",
    file: "src/sync/cache/desired-index.ts",
    from: "return [...wanted, ...waiting];",
    to: "return wanted;",
  },
  {
    drops: "Z-26 DNAME and DS are cuts as NS is",
    rule: "Z-26",
    file: "src/sync/cache/wanted-cuts.ts",
    from: `new Set(["NS", "DS", "DNAME"])`,
    to: `new Set(["NS"])`,
  },
];
