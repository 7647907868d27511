/** Clauses of the rules of proofs/further-rules.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

export const FURTHER_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "Z-3 a further cluster takes part once it was read: unreachable is empty",
    clause: "unread-cluster-takes-no-part",
    to: "if (access === null) return [];",
    breaks: /^unread is empty/,
  },
  {
    drops: "ADR 0117 a cluster is observed until somebody says otherwise",
    clause: "observed-cluster-takes-no-part",
    breaks: /^an observed one publishes/,
  },
  {
    drops: "Z-3 one that stops answering takes part with what it wanted",
    clause: "silent-cluster-stays",
    breaks: /^a silent cluster leaves by itself/,
  },
  {
    drops: "Z-3 a cluster that is away is not one that nobody names",
    clause: "awaited-cluster-is-unknown",
    breaks: /^a cluster that is away counts/,
  },
  {
    drops: "ADR 0149 a cluster is removed with its records by its Secret",
    clause: "removed-cluster-is-an-order",
    to: "false",
    breaks: /^the record of a removed cluster stays/,
  },
];
