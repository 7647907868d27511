/** Clauses of proofs/orphan-fences.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

export const ORPHAN_FENCE_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "an order for a fence counts for the text that was shown",
    file: "src/sync/fence/zone-fence.ts",
    from: "const shown = record === null ? null : fenceText(record);",
    to: "const shown = record === null ? null : (text ?? fenceText(record));",
    breaks: /^a fence goes that is not as it was shown/,
  },
  {
    drops: "a fence whose owner id has records is no orphan",
    file: "src/sync/report/ownership-rows.ts",
    from: ".filter(({ set }) => !used.has(set.name))",
    to: "",
    breaks: /^the fence of an owner with records is an orphan/,
  },
  {
    drops: "a fence of an id of ours is no orphan",
    file: "src/sync/fence/zone-fences.ts",
    from: ".filter(({ set }) => !known.has(set.name));",
    to: ".filter(({ set }) => known !== null && set.name !== null);",
    breaks: /^the fence that stops us is an orphan/,
  },
  {
    drops: "removal of fences by a person, as before ADR 0083",
    file: "src/app/http/rights-choice.ts",
    from: 'case "remove":\n      return whose === "ours" || orphan !== undefined;',
    to: 'case "remove":\n      return whose === "ours";',
    breaks: /^the fence of a gone owner cannot be removed/,
  },
];
