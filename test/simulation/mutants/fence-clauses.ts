/** The clauses of Z-17 without which somebody writes who must not, or nobody writes any more. */
import type { Mutant } from "./mutant.ts";

/** One mutant for each. */
export const FENCE_CLAUSES: readonly Mutant[] = [
  {
    drops: "the compare of each batch",
    clause: "batch-compares-fence",
    to: "return groups;",
  },
  {
    drops: "the demotion of a lower epoch",
    clause: "lower-epoch-is-demoted",
  },
  {
    drops: "the wait of who comes later",
    clause: "later-installation-waits",
    to: 'const wasTaken = false; if (!dismissed.includes(self.domain)) return { is: "write", next: fresh(self, []) };',
  },
  {
    drops: "the silence of who comes later: it disputes, and the first one stops",
    clause: "first-installation-goes-on",
    to: "if (foreign !== undefined) return foreign.contestedBy !== null ? judgeOwnRecord(foreign, self) : contest(foreign, self);",
  },
  {
    drops: "the consent of both who share an owner id",
    clause: "sharing-needs-both",
    to: "record.shared === true || self.shared === true",
  },
  {
    drops: "the compare of the fence's own writes",
    clause: "fence-write-compares",
  },
  {
    drops: "the read after a lost answer to the fence's own write",
    clause: "lost-fence-answer-is-read",
    to: 'if (outcome.status === "rejected") this.#refused = { reason: outcome.message, untilMs: this.#nowMs() + REFUSED_RETRY_MS };',
  },
];

/** The clauses without which two copies of one cluster write in turn for ever. */
export const COPY_CLAUSES: readonly Mutant[] = [
  {
    drops: "the written dispute",
    clause: "contest-is-written",
    to: '{ is: "stop", stop: copied(self.domain) }',
  },
  {
    drops: "the stop of who is disputed",
    clause: "contested-process-stops",
  },
  {
    drops: "the id of a term",
    clause: "term-has-an-id",
    to: "return false;",
  },
  {
    drops: "the dispute of copies",
    clause: "copies-contest",
  },
  {
    drops: "the end of a dispute without us",
    clause: "foreign-end-of-contest",
  },
  {
    drops: "the memory that our record stood",
    clause: "own-fence-is-remembered",
  },
];

/** The clauses without which a named election does not outlive a move of its Lease. */
export const MOVE_CLAUSES: readonly Mutant[] = [
  {
    drops: "the pause of who was replaced",
    clause: "replaced-holder-pauses",
    to: "const pausedUntilMs = 0;",
  },
  {
    drops: "the domain that the Lease has without a name",
    clause: "unnamed-domain-is-ours",
    to: "return domain === self.domain;",
  },
];
