/** The clauses of Z-18 about ways as the source has them, each with its loss. Data only. */
import type { Mutant } from "./mutant.ts";

/** One line a clause; all die in proofs/two-ways.ts. */
export const WAY_CLAUSES: readonly Mutant[] = [
  {
    drops: "Z-18 an equal apex may be one zone (the rule before)",
    clause: "equal-apex-may-be-same-zone",
    to: "return false;",
  },
  {
    drops: "Z-18 another apex under another identity is another zone",
    clause: "equal-apex-may-be-same-zone",
    to: "return true;",
  },
  {
    drops: "Z-18 a way that waits writes nothing (the rule before)",
    clause: "unproven-way-waits",
    to: "continue;",
  },
  {
    drops: "Z-18 only a proven way counts as proven",
    clause: "same-zone-is-proven",
    to: 'return { is: "same" };',
  },
  {
    drops: "Z-18 each way reads what was written through the other one",
    clause: "every-way-reads-the-write",
    to: "seen.some((isSeen) => isSeen)",
  },
  {
    drops: "Z-18 the older one goes on",
    clause: "older-zone-goes-on",
  },
  {
    drops: "Z-18 a zone that cannot be read makes no way wait",
    clause: "unreadable-zone-yields",
    to: '{ is: "unproven", why: otherApex }',
  },
  {
    drops: "Z-18 what a person says",
    clause: "person-declares-other-zone",
  },
  {
    drops: "Z-18 a zone is read through the way that answers",
    clause: "answering-way-reads",
  },
];
