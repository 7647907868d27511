/** Clauses of the rules of proofs/cluster-rules.ts, each with its loss. Data only. */
import type { Mutant } from "./mutant.ts";

const DEFINITIONS = "src/app/run/own-definitions.ts";
const DELETION = "src/gardener/dns-provider/provider-deletion.ts";
const LINK = "src/source-controllers/entries/owner-link.ts";
const APPLICANT = "src/controllers/zone-choice/applicant.ts";

/** A clause, and the case that its loss breaks. */
export interface RuleMutant extends Mutant {
  readonly breaks: RegExp;
}

export const CLUSTER_RULE_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "ADR 0052 a definition of others is left",
    file: DEFINITIONS,
    from: 'act: mayBeReplaced ? "update" : "leave", maintainer',
    to: 'act: "update", maintainer',
    breaks: /Gardener's definition is changed/,
  },
  {
    drops: "ADR 0052 a later definition stays",
    file: DEFINITIONS,
    from: "version >= OUR_VERSION",
    to: "version === OUR_VERSION",
    breaks: /a later definition is undone/,
  },
  {
    drops: "ADR 0052 an older definition is brought up to date",
    file: DEFINITIONS,
    from: "version >= OUR_VERSION",
    to: "version >= 0",
    breaks: /an older definition stays/,
  },
  {
    drops: "ADR 0052 a person hands definitions over",
    file: DEFINITIONS,
    from: "force || accepted.includes(maintainer)",
    to: "force",
    breaks: /an accepted definition stays/,
  },
  {
    drops: "Z-30 a former id is the present one in the owners of entries",
    file: LINK,
    from: "present(one.cluster ?? targetCluster) === cluster &&",
    to: "(one.cluster ?? targetCluster) === cluster &&",
    breaks: /not recognised/,
  },
  {
    drops: "Z-30 a former id is rewritten",
    file: LINK,
    from: "return rewritten === text ? null : { [OWNERS_ANNOTATION]: rewritten };",
    to: "return null;",
    breaks: /stays in the annotation/,
  },
  {
    drops: "ADR 0051 owners are believed in the target namespace only",
    file: APPLICANT,
    from: "entry.metadata.namespace === targetNamespace && owners.length > 0",
    to: "owners.length > 0",
    breaks: /anybody can name/,
  },
  {
    drops: "ADR 0051 an owner of another cluster uses no DNSProvider of this one",
    file: APPLICANT,
    from: "owners.every(({ cluster }) => cluster === null)",
    to: "owners.length > 0",
    breaks: /of another cluster uses/,
  },
  {
    drops: "ADR 0051 an object that names realms keeps them",
    file: APPLICANT,
    from: 'annotations?.[REALMS_ANNOTATION] ?? realms ?? ""',
    to: 'realms ?? annotations?.[REALMS_ANNOTATION] ?? ""',
    breaks: /realms are not its own/,
  },
  {
    drops: "Z-19 a DNSProvider stays while records of objects that are gone are to be removed",
    file: DELETION,
    from: "if (awaited.removals > 0)",
    to: "if (awaited.removals > 99)",
    breaks: /goes before what is gone is removed/,
  },
  {
    drops: "Z-19 it waits an hour at most",
    file: DELETION,
    from: "nowMs >= sinceMs + RELEASE_AFTER_MS",
    to: "nowMs < sinceMs",
    breaks: /a namespace cannot be deleted/,
  },
  {
    drops: "Z-19 its annotation releases it",
    file: DELETION,
    from: 'metadata.annotations?.[RELEASE_ANNOTATION] === "true"',
    to: 'metadata.annotations?.[RELEASE_ANNOTATION] === "never"',
    breaks: /releases nothing/,
  },
];
