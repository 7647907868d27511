/** Clauses of proofs/early-ends.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

export const EARLY_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "Z-19 an entry whose status names no zone has the one that it notes",
    file: "src/gardener/dns-entry/entry.ts",
    from: "return { ...entry, status: { ...entry.status, ...note } };",
    to: "return entry;",
    breaks: /\(apply\): .* stays/,
  },
  {
    drops: "Z-19 the note comes with the finalizer",
    file: "src/gardener/dns-entry/hand-over.ts",
    from: "...(note === null ? {} : noteAnnotation(note)),",
    to: "",
    breaks: /\(apply\): .* stays/,
  },
  {
    drops: "Z-23 what markers name is stored before the write",
    file: "src/sync/zone/plan-round.ts",
    from: "if (absences.seen.rememberNamed(admitted) || isRemoving)",
    to: "if (isRemoving)",
    breaks: /\(apply\): .* stays/,
  },
];
