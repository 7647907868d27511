/** Clauses of the rules of proofs/removal-rules.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

export const REMOVAL_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "ADR 0065 an emptied spec is a mistake (the rule before)",
    clause: "emptied-spec-is-a-mistake",
    to: "{ ...NOTHING, problems, objectTransfer }",
    breaks: /^an emptied spec removes/,
  },
  {
    drops: "ADR 0096 an unclear lister keeps the record, also one heard of later (the rule before)",
    clause: "unclear-lister-keeps-record",
    to: '({ listers }) => thatIs(listers.slice(0, 1), "unclear")',
    breaks: /^an object that is not known completely loses its name/,
  },
  {
    drops: "ADR 0066 a member stays while what its object wants instead is behind another object",
    clause: "losers-keep-members",
    to: "held",
    breaks: /^an edit takes a member out/,
  },
  {
    drops: "ADR 0066 a member that its object has replaced goes",
    clause: "replaced-member-goes",
    breaks: /^a member that was replaced stays/,
  },
  {
    drops: "ADR 0063 an end with the definition proves nothing",
    clause: "ended-definition-proves-nothing",
    breaks: /^a deleted definition removes/,
  },
  {
    drops: "ADR 0063 a definition that is gone is as one that ends",
    clause: "deleted-definition-ends-objects",
    to: "if (definition === null) return NOT_ENDING;",
    breaks: /^a definition that is gone removes/,
  },
  {
    drops: "ADR 0086 what ended with its definition asks a person (the rule before)",
    clause: "end-with-definition-asks",
    to: "false",
    breaks: /^a definition that is back removes/,
  },
  {
    drops: "ADR 0086 an object that is older than its definition ended with a former one",
    clause: "older-than-its-definition",
    to: "return false;",
    breaks: /^a definition that is back removes/,
  },
  {
    drops: "ADR 0086 objects that an earlier process saw may be of a former definition",
    clause: "former-processes-saw-objects",
    to: "return createdMs;",
    breaks: /^a restart after a deleted definition removes/,
  },
  {
    drops: "ADR 0112 what this process saw come is not what an earlier one saw (the rule before)",
    clause: "former-process-alone-saw-them",
    to: "return this.#pin?.kinds[kindText(kind)]?.newestMs || null;",
    breaks: /^a restart among the objects of a deleted definition removes/,
  },
  {
    drops: "ADR 0088 the definition of a secondary kind is asked for (the rule before)",
    clause: "secondary-definition-stands",
    to: "return;",
    breaks: /^a deleted secondary definition removes/,
  },
  {
    drops: "ADR 0088 a secondary kind that was served is no empty one (the rule before)",
    clause: "secondary-kind-was-served",
    to: "false",
    breaks: /^a secondary kind that is gone removes/,
  },
  {
    drops: "ADR 0088 a secondary kind that is back lacks its objects",
    clause: "unserved-kind-lacks-objects",
    to: "false",
    breaks: /^a secondary kind that is back without its objects removes/,
  },
  {
    drops: "ADR 0063 an entry that ends so is released",
    clause: "ended-entry-is-released",
    breaks: /^a deleted definition never ends/,
  },
  {
    drops: "ADR 0107 it is, whatever holds its records (the rule before)",
    clause: "ended-entry-is-released",
    to: 'if (openReason(assignments).code === "DefinitionGone") return released("");',
    breaks: /^two deleted definitions never end/,
  },
  {
    drops: "ADR 0063 a whole kind is one set",
    clause: "whole-kind-is-one-set",
    to: 'proof === "weak"',
    breaks: /^3 of 3 pass/,
  },
  {
    drops: "ADR 0063 two are single deletions",
    clause: "two-ends-are-single-deletions",
    to: "2",
    breaks: /^2 of 2 wait/,
  },
  {
    drops: "ADR 0063 some of a kind are not all",
    clause: "some-of-a-kind-are-not-all",
    to: "$& && this.#ends.size < 8",
    breaks: /^8 of 9 wait/,
  },
  {
    drops: "ADR 0119 an owner id of everybody needs the cluster in the marker",
    clause: "shared-owner-names-its-cluster",
    breaks: /^a record that may be another cluster's goes with an object here/,
  },
  {
    drops: "ADR 0119 nor does another answer prove anything",
    clause: "shared-owner-gives-way-to-nobody",
    to: "return { proven: false, ...kept };",
    breaks: /^a record that may be another cluster's gives way/,
  },
  {
    drops: "Z-2 a name outside of the filters keeps what it has",
    clause: "name-out-of-scope-stays",
    breaks: /^a filter of names removes/,
  },
  {
    drops: "ADR 0120 a private address waits in a public zone",
    clause: "private-target-waits",
    to: "null",
    breaks: /^a private address goes out/,
  },
  {
    drops: "ADR 0120 what is private already goes on",
    clause: "private-record-goes-on",
    breaks: /^a private record stops/,
  },
  {
    drops: "ADR 0063 a deleted namespace is an order of its own",
    clause: "deleted-namespace-is-an-order",
    breaks: /^a deleted namespace waits/,
  },
];
