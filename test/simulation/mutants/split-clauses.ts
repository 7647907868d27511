/** Clauses of proofs/split-clusters.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

const JUDGE = "src/sync/absence/judge-elsewhere.ts";
const DELETION = "src/gardener/dns-entry/decide-entry-deletion.ts";

export const SPLIT_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "Z-30 the end of its entry is the end of an object that nobody serves",
    file: JUDGE,
    from: "if (ENDS.has(proof)) return { proven: true, proof };",
    to: "if (ENDS.has(proof)) return clusterVerdict(evidence);",
    breaks: /the end of the entry is not its object's/,
  },
  {
    drops: "Z-30 its living entry says which record sets it wants",
    file: JUDGE,
    from: "if (isOmitted) return",
    to: "if (evidence === null) return",
    breaks: /an address that the entry gave up stays/,
  },
  {
    drops: "Z-30 an edit of its entry is no end",
    file: JUDGE,
    from: "if (ENDS.has(proof)) return { proven: true, proof };",
    to: "return { proven: true, proof };",
    breaks: /a person's edit counts as the object's/,
  },
  {
    drops: "Z-30 an edited entry ends, too",
    file: JUDGE,
    from: 'if (stateOf(evidence.observe(object)) === "absent")',
    to: "if (evidence === null)",
    breaks: /what an edited entry had at first outlives it/,
  },
  {
    drops: "Z-30 only an object that nobody serves has one that stands for it",
    file: JUDGE,
    from: "kinds.every((kind) => kind.cluster !== cluster)",
    to: "kinds.length > 0",
    breaks: /a Service that is served is not asked/,
  },
  {
    drops: "Z-30 the entry itself is asked for",
    file: "src/sync/absence/confirming-object.ts",
    from: "!(isFar || isOfCopy(tombstone))",
    to: "!isOfCopy(tombstone)",
    breaks: /is asked for in another cluster/,
  },
  {
    drops: "Z-30 whoever made an entry has time to ask for it",
    file: DELETION,
    from: "if (leftMs <= 0) return decideEnd(context);",
    to: "if (leftMs <= ASK_MS) return decideEnd(context);",
    breaks: /a record flaps while its entry is made anew/,
  },
  {
    drops: "Z-30 whoever made an entry is heard",
    file: DELETION,
    from: "if (entry.isWantedAgain) return",
    to: "if (entry.isReleased) return",
    breaks: /a record flaps while its entry is made anew/,
  },
  {
    drops: "Z-30 an object that is gone wants no entry again",
    file: "src/source-controllers/entries/remove-entries.ts",
    from: "() => unlessGone(() => this.#takeBack(entry))",
    to: "async () => undefined",
    breaks: /is wanted again by a Service that is gone/,
  },
  {
    drops: "Z-19 what is made anew is known after a restart",
    file: DELETION,
    from: "const isKnown = assignments.length > 0;",
    to: "const isKnown = true;",
    breaks: /what was to be made anew is forgotten by a restart/,
  },
  {
    drops: "Z-30 what is made anew is wanted meanwhile",
    file: "src/gardener/dns-entry/origins.ts",
    from: "if (isMadeAnew)",
    to: "if (isMadeAnew && withdraw === undefined)",
    breaks: /what is made anew is not wanted meanwhile/,
  },
  {
    drops: "Z-19 what is made anew is awaited for an hour",
    file: "src/gardener/dns-entry/awaited-entries.ts",
    from: "      onMissed();",
    to: "",
    breaks: /an entry is awaited without end/,
  },
];
