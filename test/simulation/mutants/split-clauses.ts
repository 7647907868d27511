/** Clauses of proofs/split-clusters.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

export const SPLIT_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "Z-30 the end of its entry is the end of an object that nobody serves",
    clause: "entry-end-is-object-end",
    to: "null",
    breaks: /the end of the entry is not its object's/,
  },
  {
    drops: "Z-30 its living entry says which record sets it wants",
    clause: "entry-omits-record-set",
    breaks: /an address that the entry gave up stays/,
  },
  {
    drops: "Z-30 an edit of its entry is no end",
    clause: "edit-of-entry-is-no-end",
    to: "return proof;",
    breaks: /a person's edit counts as the object's/,
  },
  {
    drops: "Z-30 an edited entry ends, too",
    clause: "edited-entry-ends",
    to: "tombstone === null",
    breaks: /what an edited entry had at first outlives it/,
  },
  {
    drops: "Z-30 only an object that nobody serves has one that stands for it",
    clause: "substitute-only-for-unserved-object",
    to: "return cluster !== null && kinds.length > 0;",
    breaks: /a Service that is served is not asked/,
  },
  {
    drops: "Z-30 the entry itself is asked for",
    clause: "copied-entry-is-read",
    to: "!isOfCopy(tombstone)",
    breaks: /is asked for in another cluster/,
  },
  {
    drops: "Z-30 whoever made an entry has time to ask for it",
    clause: "requester-has-time-to-ask",
    to: "leftMs <= ASK_MS",
    breaks: /a record flaps while its entry is made anew/,
  },
  {
    drops: "Z-30 whoever made an entry is heard",
    clause: "requested-entry-is-made-anew",
    to: "entry.isReleased",
    breaks: /a record flaps while its entry is made anew/,
  },
  {
    drops: "Z-30 an object that is gone wants no entry again",
    clause: "gone-object-requests-no-entry",
    to: "async () => undefined",
    breaks: /is wanted again by a Service that is gone/,
  },
  {
    drops: "Z-19 what is made anew is known after a restart",
    clause: "remade-entry-survives-restart",
    to: "true",
    breaks: /what was to be made anew is forgotten by a restart/,
  },
  {
    drops: "Z-30 what is made anew is wanted meanwhile",
    clause: "remade-entry-stays-desired",
    to: "if (isMadeAnew && withdraw === undefined) this.#awaited.awaitAgain(entry, withdraw); else withdraw();",
    breaks: /what is made anew is not wanted meanwhile/,
  },
  {
    drops: "Z-19 what is made anew is awaited for an hour",
    clause: "awaited-entry-has-a-limit",
    breaks: /an entry is awaited without end/,
  },
];
