/** The clauses of Z-3 about clusters as the source has them, each with its loss. Data only. */
import type { Mutant } from "./mutant.ts";

/** One line a clause; all die in proofs/two-clusters.ts. */
export const CLUSTER_CLAUSES: readonly Mutant[] = [
  {
    drops: "Z-3 the cluster in the marker gates its removals",
    clause: "other-cluster-does-not-gate",
    to: "const isOther = true;",
  },
  {
    drops: "Z-3 a marker without a cluster needs all clusters",
    clause: "marker-without-cluster-needs-all",
  },
  {
    drops: "Z-3 a cluster that is down holds only what it may want (the rule before)",
    clause: "other-cluster-does-not-gate",
    to: "const isOther = false;",
  },
  {
    drops: "Z-3 a cluster without memory gates",
    clause: "cluster-without-memory-gates",
  },
  {
    drops: "Z-3 a cluster that listed the name gates",
    clause: "listing-cluster-gates",
  },
  {
    drops: "Z-3 a marker is for an object of its cluster (the rule before)",
    clause: "marker-is-for-its-cluster",
  },
  {
    drops: "Z-3 each cluster's object has its own end (the rule before)",
    clause: "each-cluster-has-its-end",
    to: "this.#tombstones.set(name, atName.set(tombstone.provenance.name, tombstone));",
  },
  {
    drops: "Z-3 what was seen in one cluster proves nothing of the other",
    clause: "each-cluster-omits-name",
    to: "return true;",
  },
  {
    drops: "Z-30 a marker without a cluster is of the one whose object alone listed the name",
    clause: "one-cluster-listed-the-name",
    to: "return cluster;",
  },
  {
    drops: "Z-30 nothing that is missing from a changed cluster is proof (the rule before)",
    clause: "changed-cluster-proves-nothing",
  },
];
