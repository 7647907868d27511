/** Clauses of proofs/hand-over.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

export const HAND_OVER_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "Z-13 the object of the record needs no claim (the rule before)",
    clause: "same-object-needs-no-claim",
    breaks: /^the object of the record needs a claim/,
  },
  {
    drops: "Z-13 any other object claims",
    clause: "another-object-claims",
    breaks: /^a permit is used without a claim/,
  },
  {
    drops: "Z-13 of a marker without an object nobody is the same",
    clause: "any-object-is-nobody",
    breaks: /^a permit for the record of nobody is used without a claim/,
  },
  {
    drops: "ADR 0077 the set that takes an entry says its owner id",
    clause: "publisher-is-noted",
    breaks: /^an entry that moves between two sets is Error for good/,
  },
  {
    drops: "ADR 0077 the set that is left permits that owner id",
    clause: "left-set-permits",
    breaks: /^an entry that moves between two sets is Error for good/,
  },
  {
    drops: "Z-13 an object without a readable record set permits, too",
    clause: "object-without-record-permits",
    breaks: /^an entry that moves between two sets is Error for good/,
  },
  {
    drops: "Z-19 the finalizer stays while a record is to be handed over",
    clause: "handed-over-when-nothing-is-left",
    to: "const isOver = send.length === 0 || !isUndecided;",
    breaks: /^an entry that (moves|goes back)/,
  },
  {
    drops: "ADR 0077 an owner id that was noted before is noted anew",
    clause: "former-publisher-is-noted-anew",
    to: "const isKnown = false;",
    breaks: /^an entry that (moves|goes back|no class served)/,
  },
  {
    drops: "ADR 0089 the first of a class is noted (the rule before)",
    clause: "first-of-the-class-is-noted",
    to: "if (hasFinalizer && noted?.owner === ownerId) return null;",
    breaks: /^two installations of a class correct each other's note/,
  },
  {
    drops: "ADR 0090 what the object had under another type is taken over (the rule before)",
    clause: "former-keys-are-claimed",
    to: "[]",
    breaks: /^a record of the object under another type is left/,
  },
  {
    drops: "ADR 0090 at another key the object in the marker alone takes over",
    clause: "former-key-is-of-the-same-object",
    breaks: /^a record of another object goes at another key/,
  },
  {
    drops: "ADR 0090 the former name goes with the set that is left (the rule before)",
    clause: "former-name-is-for-the-left-set",
    to: "complete: false",
    breaks: /^the former name of an entry that moves stays/,
  },
  {
    drops: "Z-32 the new name may be another set's",
    clause: "other-set-publishes-new-name",
    to: 'if (wanted.length === 0) return "answered";',
    breaks: /^the former name goes before the new one is there/,
  },
  {
    drops: "Z-32 what another set publishes is an answer (the rule before)",
    clause: "other-set-publishes-new-name",
    breaks: /^the former name of an entry that moves stays/,
  },
  {
    drops: "Z-19 the finalizer stays while the former name is there",
    clause: "former-name-keeps-the-finalizer",
    breaks: /^the promise to remove the former name is gone/,
  },
  {
    drops: "Z-19 a DNSProvider that left hands over (the rule before)",
    clause: "left-provider-hands-over",
    breaks: /^an entry that moves with its DNSProvider is Error for good/,
  },
  {
    drops: "Z-19 a DNSProvider that left hands over for an hour",
    clause: "left-provider-hands-over",
    to: "return stays(RECHECK_MS);",
    breaks: /^a DNSProvider that goes alone is held for ever/,
  },
  {
    drops: "ADR 0077 a record that was left to nobody is handed over",
    clause: "unwanted-records-are-handed-over",
    breaks: /^an entry that (goes back|no class served) is not handed over/,
  },
  {
    drops: "ADR 0077 the set that is left wants no record",
    clause: "left-set-wants-no-record",
    to: "waiting: [], items: found.items",
    breaks: /^the set that is left publishes|^an entry that moves/,
  },
];
