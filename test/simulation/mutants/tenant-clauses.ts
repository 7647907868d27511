/** The clauses of Z-26 and Z-28 as the source has them, each with its loss. Data only. */
import type { Mutant } from "./mutant.ts";

const TENANTS = "src/plan/tenants.ts";
const CONFLICTS = "src/plan/resolve-conflicts.ts";
const CUT = "src/sync/zone/cut-blocker.ts";
const HOLDERS = "src/sync/zone/name-holders.ts";
const AROUND = "src/sync/zone/neighbour-blocker.ts";

/** A clause, and the rule that its loss breaks. */
export interface TenantClause extends Mutant {
  readonly rule: "Z-26" | "Z-28";
}

/** One line a clause; all die in proofs/tenants.ts. */
export const TENANT_CLAUSES: readonly TenantClause[] = [
  {
    drops: "Z-26 the address of a delegation's server is of its tenant",
    rule: "Z-26",
    file: AROUND,
    from: "if (blocker !== null) return blocker;\n  return around.atBase()",
    to: "return around.atBase()",
  },
  {
    drops: "Z-26 a stranger's delegation is no tenant's to answer for",
    rule: "Z-26",
    file: AROUND,
    from: 'this.#others(servers, "all")',
    to: 'this.#others(servers, "names")',
  },
  {
    drops: "Z-28 a name has one tenant (the rule before: a key has one object)",
    rule: "Z-28",
    file: TENANTS,
    from: "if (a.namespace !== b.namespace) return false;",
    to: "",
  },
  {
    drops: "Z-28 the first object permits (the rule before: either of the two)",
    rule: "Z-28",
    file: TENANTS,
    from: "|| permits(first, second);",
    to: "|| permits(first, second) || permits(second, first);",
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
    file: HOLDERS,
    from: "holder.tenant === null || !isSameTenant",
    to: "holder.tenant !== null && !isSameTenant",
  },
  {
    drops: "Z-26 a wildcard that answers there blocks",
    rule: "Z-26",
    file: CUT,
    from: ": [...below, ...wildcardsOver(name, context)];",
    to: ": below;",
  },
  {
    drops: "Z-26 what is wanted blocks before it exists",
    rule: "Z-26",
    file: CUT,
    from: "?? wantedAt(one, context).find(isForeign);",
    to: "?? undefined;",
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
  {
    drops: "Z-28 the apex has one tenant (the rule before: for addresses alone)",
    rule: "Z-28",
    file: "src/sync/zone/name-planner.ts",
    from: 'sharing: sharedNames ? "all"',
    to: 'sharing: sharedNames || name === apex ? "all"',
  },
  {
    drops: "Z-28 names around a name have its tenant (the rule before: each its own)",
    rule: "Z-28",
    file: AROUND,
    from: "if (around.isOwnAt(desired.name)) return null;",
    to: "return null;",
  },
  {
    drops: "Z-28 a name with `_` belongs to the name above it",
    rule: "Z-28",
    file: AROUND,
    from: "return around.atBase() ?? around",
    to: "return around",
  },
  {
    drops: "Z-28 all below a label with `_` belongs to the name above that label",
    rule: "Z-28",
    file: "src/sync/cache/attached-names.ts",
    from: "basesOf(name).findLast(",
    to: "basesOf(name).slice(0, name.startsWith('_') ? undefined : 0).findLast(",
  },
  {
    drops: "Z-28 a name below another tenant's wildcard is held",
    rule: "Z-28",
    file: AROUND,
    from: "?? around.ofWildcardsOver()",
    to: "",
  },
  {
    drops: "Z-28 a wildcard above names of others is held",
    rule: "Z-28",
    file: AROUND,
    from: "if (!isWildcard(name)) return null;",
    to: "if (name !== null) return null;",
  },
  {
    drops: "Z-28 a wildcard waits for what is wanted below it",
    rule: "Z-28",
    file: AROUND,
    from: "...this.#others(wantedAt(one, this.#context))];",
    to: "];",
  },
  {
    drops: "Z-28 what belongs to a name keeps others from it",
    rule: "Z-28",
    file: AROUND,
    from: "?? around.ofAttached();",
    to: ";",
  },
  {
    drops: "Z-28 what belongs to a stranger's name is held",
    rule: "Z-28",
    file: AROUND,
    from: 'existingAt(base, this.#context), "names")',
    to: "existingAt(base, this.#context))",
  },
  {
    drops: "Z-28 one namespace that alone has the zone goes on beside strangers",
    rule: "Z-28",
    file: AROUND,
    from: 'unowned !== "none" && !isAlone;',
    to: 'unowned !== "none";',
  },
  {
    drops: "Z-28 who has a record at the name may change it",
    rule: "Z-28",
    file: AROUND,
    from: "if (around.isOwnAt(desired.name)) return null;",
    to: "",
  },
  {
    drops: "Z-28 a permit of the first object opens names around its own",
    rule: "Z-28",
    file: AROUND,
    from: "permits(holder.holding, given);",
    to: "holder.holding === given;",
  },
  {
    drops: "Z-28 around a name, too, no object permits itself",
    rule: "Z-28",
    file: AROUND,
    from: "permits(holder.holding, given);",
    to: "(permits(holder.holding, given) || permits(given, holder.holding));",
  },
  {
    drops: "Z-28 DNSProviders share names around a name, too",
    rule: "Z-28",
    file: AROUND,
    from: "if (context.tenancy.sharedNames) return null;",
    to: "",
  },
  {
    drops: "Z-28 every apex has NS and SOA",
    rule: "Z-28",
    file: AROUND,
    from: "countsUnowned && isNeighbour(holder.text)",
    to: "countsUnowned",
  },
];
