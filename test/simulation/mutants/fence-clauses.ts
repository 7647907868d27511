/** The clauses of Z-17 without which somebody writes who must not, or nobody writes any more. */
import type { Mutant } from "./mutant.ts";

/** One mutant for each. */
export const FENCE_CLAUSES: readonly Mutant[] = [
  {
    drops: "the compare of each batch",
    file: "src/sync/calls/apply-batches.ts",
    from: "index === 0 ? { ...group, preconditions: [compare, ...group.preconditions] } : group",
    to: "index === 0 ? group : group",
  },
  {
    drops: "the demotion of a lower epoch",
    file: "src/sync/fence/fence-verdict.ts",
    from: 'if (record.epoch > self.epoch) return { is: "demote", epoch: record.epoch };',
    to: "",
  },
  {
    drops: "the written dispute",
    file: "src/sync/fence/fence-verdict.ts",
    from: 'return { is: "contest", next: { ...record, contestedBy: self.domain }, stop };',
    to: 'return { is: "stop", stop };',
  },
  {
    drops: "the stop of who is disputed",
    file: "src/sync/fence/fence-verdict.ts",
    from: 'if (record.contestedBy !== null)\n    return { is: "stop", stop: contested(record.contestedBy, self.domain) };',
    to: "",
  },
  {
    drops: "the compare of the fence's own writes",
    file: "src/sync/fence/fence-cell.ts",
    from: "preconditions: [compare] };",
    to: "preconditions: [] };",
  },
  {
    drops: "the read after a lost answer to the fence's own write",
    file: "src/sync/fence/fence-cell.ts",
    from: "else this.#mustReread = true;",
    to: "",
  },
];
