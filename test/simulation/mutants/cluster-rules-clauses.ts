/** Clauses of the rules of proofs/cluster-rules.ts, each with its loss. Data only. */
import type { Mutant } from "./mutant.ts";

/** A clause, and the case that its loss breaks. */
export interface RuleMutant extends Mutant {
  readonly breaks: RegExp;
}

export const CLUSTER_RULE_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "ADR 0052 a definition of others is left",
    clause: "foreign-definition-stays",
    to: 'return { act: "update", maintainer };',
    breaks: /Gardener's definition is changed/,
  },
  {
    drops: "ADR 0052 a later definition stays",
    clause: "definition-is-as-new",
    to: 'return version === OUR_VERSION ? { act: "keep" } : { act: "update", maintainer };',
    breaks: /a later definition is undone/,
  },
  {
    drops: "ADR 0052 an older definition is brought up to date",
    clause: "definition-is-as-new",
    to: 'return version >= 0 ? { act: "keep" } : { act: "update", maintainer };',
    breaks: /an older definition stays/,
  },
  {
    drops: "ADR 0052 a person hands definitions over",
    clause: "maintainer-is-accepted",
    breaks: /an accepted definition stays/,
  },
  {
    drops: "Z-30 a former id is the present one in the owners of entries",
    clause: "former-cluster-id-is-present",
    to: "(one.cluster ?? targetCluster) === cluster",
    breaks: /not recognised/,
  },
  {
    drops: "Z-30 a former id is rewritten",
    clause: "former-cluster-id-is-rewritten",
    to: "return null;",
    breaks: /stays in the annotation/,
  },
  {
    drops: "ADR 0051 owners are believed in the target namespace only",
    clause: "owners-count-in-target-namespace",
    breaks: /anybody can name/,
  },
  {
    drops: "ADR 0051 an owner of another cluster uses no DNSProvider of this one",
    clause: "owner-of-other-cluster-uses-none",
    to: "const isNear = owners.length > 0;",
    breaks: /of another cluster uses/,
  },
  {
    drops: "ADR 0051 an object that names realms keeps them",
    clause: "named-realms-come-first",
    to: 'const named = realms ?? annotations?.[REALMS_ANNOTATION] ?? "";',
    breaks: /realms are not its own/,
  },
  {
    drops: "Z-19 a DNSProvider stays while records of objects that are gone are to be removed",
    clause: "provider-waits-for-removals",
    to: "if (awaited.removals > 99) return this.#waitForRemovals(provider, awaited);",
    breaks: /goes before what is gone is removed/,
  },
  {
    drops: "Z-19 it waits an hour at most",
    clause: "provider-waits-an-hour",
    to: "nowMs < sinceMs",
    breaks: /a namespace cannot be deleted/,
  },
  {
    drops: "Z-19 its annotation releases it",
    clause: "annotation-releases-provider",
    to: "if (account === null && !isFirst) return OVER;",
    breaks: /releases nothing/,
  },
];
