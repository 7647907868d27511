/** Clauses of the rules of proofs/repeat-rules.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

export const REPEAT_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "an entry whose object was decided anew before the watch showed it is looked at",
    clause: "object-decided-anew-is-enqueued",
    breaks: /^an entry stays whose Service gave up its name/,
  },
  {
    drops: "the end of a first listing is noticed",
    clause: "first-listing-end-is-noticed",
    breaks: /^zones are not noticed/,
  },
  {
    drops: "a DNSProvider that lists anew is noticed",
    clause: "provider-listing-anew-is-noticed",
    to: "const wasPending = before === undefined ? !this.#isListed : true;",
    breaks: /^lost zones go unnoticed/,
  },
  {
    drops: "a DNSProvider that comes later is waited for",
    clause: "later-provider-is-awaited",
    to: "true",
    breaks: /^nobody waits for a new DNSProvider/,
  },
  {
    drops: "delegations count where zones are nested, whatever is between them",
    clause: "nested-zones-are-delegated",
    to: "for (let at = parentOf(name); at !== null; at = null) if (apexes.has(at)) return true;",
    breaks: /^cuts go unnoticed/,
  },
  {
    drops: "a status that says that something is to come is looked at",
    clause: "unsettled-status-is-enqueued",
    breaks: /^what is to come is not looked at/,
  },
  {
    drops: "another's status during the write is looked at",
    clause: "foreign-status-is-enqueued",
    to: "if (seen.length > 0 && !isSettled) this.#again(key);",
    breaks: /^somebody else's status is not looked at/,
  },
  {
    drops: "an edit during the write is looked at at once",
    clause: "edit-during-write-is-enqueued",
    breaks: /^an edit waits for an answer/,
  },
];
