/** Clauses of the rules of proofs/merged-rules.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

export const MERGED_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "Z-28 parts are of one namespace, or of an object that is permitted",
    clause: "parts-have-one-namespace",
    breaks: /^another namespace has a part/,
  },
  {
    drops: "ADR 0118 a part is of the cluster of its object",
    clause: "part-is-of-its-own-cluster",
    breaks: /^an object has the part of another cluster/,
  },
  {
    drops: "ADR 0118 all parts have one owner id",
    clause: "parts-have-one-owner",
    breaks: /^parts have two owner ids/,
  },
  {
    drops: "ADR 0118 an object says nothing about the part of another cluster",
    clause: "part-is-of-one-cluster",
    to: "true",
    breaks: /^an object of another cluster keeps a part/,
  },
  {
    drops: "Z-27 a back end that compares nothing refuses merging",
    clause: "merging-needs-comparison",
    to: "return null;",
    also: [{ clause: "zone-that-does-not-compare-is-not-merged" }],
    breaks: /^a back end that compares nothing has parts/,
  },
  {
    drops: "ADR 0118 markers of which one does not fit give no rights",
    clause: "parts-that-do-not-fit-are-nobodys",
    to: "false",
    breaks: /^markers that do not fit together give rights/,
  },
];
