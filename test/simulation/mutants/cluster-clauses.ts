/** The clauses of Z-3 about clusters as the source has them, each with its loss. Data only. */
import type { Mutant } from "./mutant.ts";

const OBSERVATION = "src/sync/contract/object-observation.ts";
const PROVENANCE = "src/model/provenance.ts";
const TOMBSTONES = "src/sync/absence/tombstones.ts";
const OTHER = "const isOther = name.cluster !== null && name.cluster !== cluster;";

/** One line a clause; all die in proofs/two-clusters.ts. */
export const CLUSTER_CLAUSES: readonly Mutant[] = [
  {
    drops: "Z-3 the cluster in the marker gates its removals",
    file: OBSERVATION,
    from: OTHER,
    to: "const isOther = true;",
  },
  {
    drops: "Z-3 a marker without a cluster needs all clusters",
    file: OBSERVATION,
    from: OTHER,
    to: "const isOther = name.cluster !== cluster;",
  },
  {
    drops: "Z-3 a cluster that is down holds only what it may want (the rule before)",
    file: OBSERVATION,
    from: OTHER,
    to: "const isOther = false;",
  },
  {
    drops: "Z-3 a cluster without memory gates",
    file: OBSERVATION,
    from: "if (isOther && isRemembered && !name.listing.has(cluster)) continue;",
    to: "if (isOther && !name.listing.has(cluster)) continue;",
  },
  {
    drops: "Z-3 a cluster that listed the name gates",
    file: OBSERVATION,
    from: "if (isOther && isRemembered && !name.listing.has(cluster)) continue;",
    to: "if (isOther && isRemembered) continue;",
  },
  {
    drops: "Z-3 a marker is for an object of its cluster (the rule before)",
    file: PROVENANCE,
    from: "(mark.cluster !== null && mark.cluster !== key.cluster)",
    to: "false",
  },
  {
    drops: "Z-3 each cluster's object has its own end (the rule before)",
    file: TOMBSTONES,
    from: "atName.set(objectKeyText(provenance), kept)",
    to: "atName.set(provenance.name, kept)",
  },
  {
    drops: "Z-3 what was seen in one cluster proves nothing of the other",
    file: "src/sync/absence/judge-object.ts",
    from: "return others.length === 0 || omitsName(others, name);",
    to: "return true;",
  },
  {
    drops: "Z-30 a marker without a cluster is of the one whose object alone listed the name",
    file: "src/sync/absence/seen-pairs.ts",
    from: "return clusters.size === 1 ? cluster : null;",
    to: "return cluster;",
  },
  {
    drops: "Z-30 nothing that is missing from a changed cluster is proof (the rule before)",
    file: OBSERVATION,
    from: 'if (trouble !== null) return { code: "ClusterChanged", message: trouble };',
    to: "",
  },
];
