/** The clauses of Z-26 and Z-28 as the source has them, each with its loss. Data only. */
import type { Mutant } from "./mutant.ts";

/** A clause, and the rule that its loss breaks. */
export interface TenantClause extends Mutant {
  readonly rule: "Z-26" | "Z-28";
}

/** One line a clause; all die in proofs/tenants.ts. */
export const TENANT_CLAUSES: readonly TenantClause[] = [
  {
    drops: "Z-26 the address of a delegation's server is of its tenant",
    rule: "Z-26",
    clause: "server-of-cut-blocks",
  },
  {
    drops: "Z-26 a stranger's delegation is no tenant's to answer for",
    rule: "Z-26",
    clause: "delegation-of-nobody-blocks",
    to: '"names"',
  },
  {
    drops: "Z-28 a name has one tenant (the rule before: a key has one object)",
    rule: "Z-28",
    clause: "a-name-has-one-tenant",
  },
  {
    drops: "Z-28 the first object permits (the rule before: either of the two)",
    rule: "Z-28",
    clause: "first-object-permits",
    to: "$& || permits(second, first)",
  },
  {
    drops: "Z-28 the first winner has the name",
    rule: "Z-28",
    clause: "first-winner-has-the-name",
  },
  {
    drops: "Z-28 a record has the name while its object is not known",
    rule: "Z-28",
    clause: "record-has-the-name",
    to: "null",
  },
  {
    drops: "Z-28 what existed before stays",
    rule: "Z-28",
    clause: "incumbent-stays",
  },
  {
    drops: "Z-28 equal data is no conflict",
    rule: "Z-28",
    clause: "equal-data-is-no-conflict",
    to: "winners.length === 0",
  },
  {
    drops: "Z-26 a cut takes no names of others (the rule before: any cut is written)",
    rule: "Z-26",
    clause: "cut-takes-no-names",
    to: "return null;",
  },
  {
    drops: "Z-26 records of strangers block",
    rule: "Z-26",
    clause: "foreign-record-holds-name",
    to: "return (holder) => holder.tenant !== null && !isSameTenant(holder.tenant, tenant);",
  },
  {
    drops: "Z-26 a wildcard that answers there blocks",
    rule: "Z-26",
    clause: "wildcard-blocks-cut",
    to: "below",
  },
  {
    drops: "Z-26 what is wanted blocks before it exists",
    rule: "Z-26",
    clause: "desired-name-blocks-cut",
    to: "undefined",
  },
  {
    drops: "Z-26 what waits for its address blocks",
    rule: "Z-28",
    clause: "waiting-name-is-desired",
    to: "wanted",
  },
  {
    drops: "Z-26 DNAME and DS are cuts as NS is",
    rule: "Z-26",
    clause: "zone-cut-types",
    to: 'export const CUT_TYPES: ReadonlySet<string> = new Set(["NS"]);',
  },
  {
    drops: "Z-28 the apex has one tenant (the rule before: for addresses alone)",
    rule: "Z-28",
    clause: "apex-has-one-tenant",
    to: 'return { sharing: sharedNames || name === apex ? "all" : ONE_TENANT.sharing, firstNamespaces };',
  },
  {
    drops: "Z-28 names around a name have its tenant (the rule before: each its own)",
    rule: "Z-28",
    clause: "own-record-may-change",
    to: "return null;",
  },
  {
    drops: "Z-28 a name with `_` belongs to the name above it",
    rule: "Z-28",
    clause: "base-name-blocks",
  },
  {
    drops: "Z-28 all below a label with `_` belongs to the name above that label",
    rule: "Z-28",
    clause: "attached-name-has-bases",
    to: "return basesOf(name).slice(0, name.startsWith('_') ? undefined : 0).filter((base) => base.length >= apex.length);",
  },
  {
    drops:
      "Z-28 a name belongs to each name above a label with `_` (the rule before: to the topmost)",
    rule: "Z-28",
    clause: "attached-name-has-bases",
    to: "return basesOf(name).filter((base) => base.length >= apex.length).slice(-1);",
  },
  {
    drops:
      "Z-28 who comes to a record is judged as who creates it (the rule before: creations alone)",
    rule: "Z-28",
    clause: "newcomer-is-judged-as-creator",
    to: "false",
  },
  {
    drops: "Z-28 who adopts a record is judged as who creates it",
    rule: "Z-28",
    clause: "adopted-record-gets-a-tenant",
  },
  {
    drops: "Z-28 who comes to a record comes to its name, too",
    rule: "Z-28",
    clause: "newcomer-shares-the-name",
  },
  {
    drops: "Z-28 who adopts a record comes to its name, too",
    rule: "Z-28",
    clause: "adopter-shares-the-name",
  },
  {
    drops:
      "Z-28 a wish that is refused keeps no record of another tenant (the rule before: of anybody)",
    rule: "Z-28",
    clause: "refused-heir-is-of-the-tenant",
    to: "true",
  },
  {
    drops: "Z-28 a name below another tenant's wildcard is held",
    rule: "Z-28",
    clause: "wildcard-over-name-blocks",
  },
  {
    drops: "Z-28 a wildcard above names of others is held",
    rule: "Z-28",
    clause: "wildcard-over-names-blocks",
    to: "name !== null",
  },
  {
    drops: "Z-28 a wildcard waits for what is wanted below it",
    rule: "Z-28",
    clause: "wildcard-waits-for-desired",
  },
  {
    drops: "Z-28 what belongs to a name keeps others from it",
    rule: "Z-28",
    clause: "attached-name-blocks",
    to: "return around.ofCut() ?? around.atBases() ?? around.ofWildcardsOver() ?? around.below();",
  },
  {
    drops: "Z-28 what belongs to a stranger's name is held",
    rule: "Z-28",
    clause: "foreign-base-blocks",
    to: '"none"',
  },
  {
    drops: "Z-28 what a stranger's wildcard answers for with `_` is held (the rule before: free)",
    rule: "Z-28",
    clause: "foreign-wildcard-has-its-names",
    to: "true",
  },
  {
    drops: "Z-28 one namespace that alone has the zone goes on beside strangers",
    rule: "Z-28",
    clause: "sole-namespace-goes-on",
  },
  {
    drops: "Z-28 who has a record at the name may change it",
    rule: "Z-28",
    clause: "own-record-may-change",
  },
  {
    drops: "Z-28 a permit of the first object opens names around its own",
    rule: "Z-28",
    clause: "permit-opens-neighbours",
    to: "holder.holding === given",
  },
  {
    drops: "Z-28 around a name, too, no object permits itself",
    rule: "Z-28",
    clause: "permit-opens-neighbours",
    to: "($& || permits(given, holder.holding))",
  },
  {
    drops: "Z-28 DNSProviders share names around a name, too",
    rule: "Z-28",
    clause: "providers-share-neighbours",
  },
  {
    drops: "Z-28 every apex has NS and SOA",
    rule: "Z-28",
    clause: "every-apex-has-ns-and-soa",
  },
];
