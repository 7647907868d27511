/** The clauses about secondary kinds as the source has them, each with its loss. Data only. */
import type { Mutant } from "./mutant.ts";

/** One line a clause; all die in proofs/new-sources.ts. */
export const SOURCE_CLAUSES: readonly Mutant[] = [
  {
    drops: "Z-1 a look-up that has no answer makes the answer incomplete",
    clause: "unread-look-up-is-incomplete",
    to: "unread.size >= 0",
  },
  {
    drops: "Z-1 a reference to a kind that is not served is not understood",
    clause: "reference-to-live-kind",
    to: '"live", "absent"',
  },
  {
    drops: "what an object read decides when it is answered again",
    clause: "reader-is-enqueued-again",
    to: "() => {}",
  },
  {
    drops: "Z-1 incomplete answers are due once their kind is live",
    clause: "incomplete-answer-is-due-once-live",
    to: "complete",
  },
  {
    drops: "Z-3 kinds that sources read besides their own gate removals",
    clause: "secondary-kinds-gate",
    to: "source.secondary.slice(0, 0).map((kind) => ({ ...others, kind, isSecondary: true }))",
  },
  {
    drops: "Z-2 a removal is confirmed with the secondary objects as they are now",
    clause: "removal-reads-secondary-objects",
    to: "const unread = (found.reads ?? []).slice(0, 0);",
  },
];

/** About both ways of publishing; all die in proofs/publish-ways.ts. */
export const WAY_CLAUSES: readonly Mutant[] = [
  {
    drops: "an object publishes no name that its DNSEntry publishes",
    clause: "linked-entry-publishes-name",
    to: "taken.size >= 0",
  },
  {
    drops: "a deleted entry does not wait for a record that its original wants",
    clause: "deleted-entry-waits-for-no-other",
  },
];
