/** Clauses of the rules of proofs/repeat-rules.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

const DIRECTORY = "src/controllers/zone-choice/provider-directory.ts";
const STATUS = "src/gardener/dns-entry/entry-status-writer.ts";

export const REPEAT_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "an entry whose object was decided anew before the watch showed it is looked at",
    file: "src/source-controllers/entries/entry-source-controller.ts",
    from: "this.#writes.decidedAnew(key);",
    to: "",
    breaks: /^an entry stays whose Service gave up its name/,
  },
  {
    drops: "the end of a first listing is noticed",
    file: DIRECTORY,
    from: `facts.state !== "pending" || !wasPending`,
    to: "!wasPending",
    breaks: /^zones are not noticed/,
  },
  {
    drops: "a DNSProvider that lists anew is noticed",
    file: DIRECTORY,
    from: `before.state === "pending";`,
    to: "true;",
    breaks: /^lost zones go unnoticed/,
  },
  {
    drops: "a DNSProvider that comes later is waited for",
    file: DIRECTORY,
    from: "before === undefined ? !this.#isListed",
    to: "before === undefined ? true",
    breaks: /^nobody waits for a new DNSProvider/,
  },
  {
    drops: "delegations count where zones are nested, whatever is between them",
    file: DIRECTORY,
    from: "at !== null; at = parentOf(at)) if",
    to: "at !== null; at = null) if",
    breaks: /^cuts go unnoticed/,
  },
  {
    drops: "a status that says that something is to come is looked at",
    file: STATUS,
    from: "|| (seen.length > 0 && !own.isSettled)",
    to: "",
    breaks: /^what is to come is not looked at/,
  },
  {
    drops: "another's status during the write is looked at",
    file: STATUS,
    from: "others.length > 0 ||",
    to: "",
    breaks: /^somebody else's status is not looked at/,
  },
  {
    drops: "an edit during the write is looked at at once",
    file: STATUS,
    from: "during !== undefined && isOutcomeOnly(change, true)",
    to: "during !== undefined",
    breaks: /^an edit waits for an answer/,
  },
];
