/** Clauses of proofs/early-ends.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

export const EARLY_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "Z-19 an entry whose status names no zone has the one that it notes",
    clause: "noted-zone-is-the-zone",
    to: "entry",
    breaks: /\(apply\): .* stays/,
  },
  {
    drops: "Z-19 the note comes with the finalizer",
    clause: "note-comes-with-finalizer",
    breaks: /\(apply\): .* stays/,
  },
  {
    drops: "Z-23 what markers name is stored before the write",
    clause: "named-objects-are-stored-first",
    breaks: /\(apply\): .* stays/,
  },
];
