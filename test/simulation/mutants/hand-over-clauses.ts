/** Clauses of proofs/hand-over.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

const HAND_OVER = "src/gardener/dns-entry/hand-over.ts";
const CLAIMS = "src/plan/claims.ts";

export const HAND_OVER_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "Z-13 the object of the record needs no claim (the rule before)",
    file: CLAIMS,
    from: "if (desired.transfer?.claim !== true && !isSameObject(marker, desired)) return false;",
    to: "if (desired.transfer?.claim !== true) return false;",
    breaks: /^the object of the record needs a claim/,
  },
  {
    drops: "Z-13 any other object claims",
    file: CLAIMS,
    from: "if (desired.transfer?.claim !== true && !isSameObject(marker, desired)) return false;",
    to: "",
    breaks: /^a permit is used without a claim/,
  },
  {
    drops: "Z-13 of a marker without an object nobody is the same",
    file: CLAIMS,
    from: "return marker !== null && marker.anyObject !== true && isMarkOf(marker, provenance);",
    to: "return marker !== null && isMarkOf(marker, provenance);",
    breaks: /^a permit for the record of nobody is used without a claim/,
  },
  {
    drops: "ADR 0077 the set that takes an entry says its owner id",
    file: HAND_OVER,
    from: "...(publisher === null ? {} : { [PUBLISHER_ANNOTATION]: publisher }),",
    to: "",
    breaks: /^an entry that moves between two sets is Error for good/,
  },
  {
    drops: "ADR 0077 the set that is left permits that owner id",
    file: HAND_OVER,
    from: "transfer: { ...transfer, claim: false, permit } },",
    to: "transfer: { ...transfer, claim: false } },",
    breaks: /^an entry that moves between two sets is Error for good/,
  },
  {
    drops: "Z-13 an object without a readable record set permits, too",
    file: "src/plan/decide-unwanted.ts",
    from: "permitOfObject(one, context) ??",
    to: "",
    breaks: /^an entry that moves between two sets is Error for good/,
  },
  {
    drops: "Z-19 the finalizer stays while a record is to be handed over",
    file: HAND_OVER,
    from: "send.length === 0 && assignments.every(hasNothing) && !isUndecided(context);",
    to: "send.length === 0 || !isUndecided(context);",
    breaks: /^an entry that (moves|goes back)/,
  },
  {
    drops: "ADR 0077 an owner id that was noted before is noted anew",
    file: HAND_OVER,
    from: "return entry.status.zone !== null || isServedByOthers(entry);",
    to: "return false;",
    breaks: /^an entry that (moves|goes back)/,
  },
  {
    drops: "ADR 0077 a record that was left to nobody is handed over",
    file: HAND_OVER,
    from: "return entry.hasFinalizer || assignments.length > 0 || unwantedRecords.length > 0;",
    to: "return entry.hasFinalizer || assignments.length > 0;",
    breaks: /^an entry that (goes back|no class served) is not handed over/,
  },
  {
    drops: "ADR 0077 the set that is left wants no record",
    file: HAND_OVER,
    from: "waiting: [...names].map((name) => ({ name, reason: HANDING_OVER, provenance: object })),",
    to: "waiting: [], items: found.items,",
    breaks: /^the set that is left publishes|^an entry that moves/,
  },
];
