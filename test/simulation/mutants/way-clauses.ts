/** The clauses of Z-18 about ways as the source has them, each with its loss. Data only. */
import type { Mutant } from "./mutant.ts";

const NEWCOMERS = "src/sync/between-zones/newcomers.ts";
const SAME_ZONE = "src/sync/between-zones/same-zone.ts";

/** One line a clause; all die in proofs/two-ways.ts. */
export const WAY_CLAUSES: readonly Mutant[] = [
  {
    drops: "Z-18 an equal apex may be one zone (the rule before)",
    file: SAME_ZONE,
    from: "return text !== null && text === apexText(other.apex);",
    to: "return false;",
  },
  {
    drops: "Z-18 another apex under another identity is another zone",
    file: SAME_ZONE,
    from: "return text !== null && text === apexText(other.apex);",
    to: "return true;",
  },
  {
    drops: "Z-18 a newcomer writes nothing (the rule before)",
    file: NEWCOMERS,
    from: 'if (comparison.is === "unproven") return comparison.why;',
    to: 'if (comparison.is === "unproven") continue;',
  },
  {
    drops: "Z-18 only a proven way counts as proven",
    file: NEWCOMERS,
    from: 'if (trouble === null) return { is: "same" };',
    to: 'return { is: "same" };',
  },
  {
    drops: "Z-18 each way reads what was written through the other one",
    file: "src/sync/between-zones/prove-ways.ts",
    from: "seen.every((isSeen) => isSeen)",
    to: "seen.some((isSeen) => isSeen)",
  },
  {
    drops: "Z-18 the older one goes on",
    file: NEWCOMERS,
    from: 'if (isYielding(actor, newcomer, trouble)) return { is: "yields" };',
    to: "",
  },
  {
    drops: "Z-18 a zone that cannot be read keeps no newcomer",
    file: NEWCOMERS,
    from: '? { is: "yields" }',
    to: '? { is: "unproven", why: otherApex }',
  },
  {
    drops: "Z-18 what a person says",
    file: NEWCOMERS,
    from: 'if (isSaidOther(actor.ways.all(), [way])) return { is: "other" };',
    to: "",
  },
  {
    drops: "Z-18 a zone is read through the way that answers",
    file: "src/sync/zone/ways.ts",
    from: "if (way.failures < this.#readWay.failures) this.#readWay = way;",
    to: "",
  },
];
