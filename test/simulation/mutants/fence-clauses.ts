/** The clauses of Z-17 without which somebody writes who must not, or nobody writes any more. */
import type { Mutant } from "./mutant.ts";

/** One mutant for each. */
export const FENCE_CLAUSES: readonly Mutant[] = [
  {
    drops: "the compare of each batch",
    file: "src/sync/calls/apply-batches.ts",
    from: "index === 0 ? { ...group, preconditions: [...compares, ...group.preconditions] } : group",
    to: "index === 0 ? group : group",
  },
  {
    drops: "the demotion of a lower epoch",
    file: "src/sync/fence/fence-verdict.ts",
    from: 'if (isStaleBy(record, self)) return { is: "demote", epoch: record.epoch };',
    to: "",
  },
  {
    drops: "the wait of who comes later",
    file: "src/sync/fence/fence-verdict.ts",
    from: "  const wasTaken = dismissed.includes(self.domain);",
    to: '  const wasTaken = false;\n  if (!dismissed.includes(self.domain)) return { is: "write", next: fresh(self, []) };',
  },
  {
    drops: "the silence of who comes later: it disputes, and the first one stops",
    file: "src/sync/fence/fence-verdict.ts",
    from: "? judgeOwnRecord(record, self)\n    : judgeForeignRecord(record, self);",
    to: "|| record.contestedBy !== null ? judgeOwnRecord(record, self) : contest(record, self);",
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

/** The clauses without which two copies of one cluster write in turn for ever. */
export const COPY_CLAUSES: readonly Mutant[] = [
  {
    drops: "the written dispute",
    file: "src/sync/fence/fence-verdict.ts",
    from: 'return { is: "contest", next, stop: copied(self.domain) };',
    to: 'return { is: "stop", stop: copied(self.domain) };',
  },
  {
    drops: "the stop of who is disputed",
    file: "src/sync/fence/fence-verdict.ts",
    from: 'if (record.contestedBy !== null)\n    return { is: "stop", stop: contested(record.contestedBy, self.domain) };',
    to: "",
  },
  {
    drops: "the id of a term",
    file: "src/sync/fence/fence-verdict.ts",
    from: "return isOther && record.epoch !== self.copyEpoch;",
    to: "return false;",
  },
  {
    drops: "the dispute of copies",
    file: "src/sync/fence/fence-verdict.ts",
    from: "if (record.epoch === self.copyEpoch) return contest(record, self);",
    to: "",
  },
  {
    drops: "the end of a dispute without us",
    file: "src/sync/fence/zone-fence.ts",
    from: "this.#isCopied ||= before !== null && isOfCopies(before, this.#options.term);",
    to: "",
  },
  {
    drops: "the memory that our record stood",
    file: "src/sync/fence/zone-fence.ts",
    from: "this.#hasStood ||= namesTerm(this.#verdict);",
    to: "",
  },
];
