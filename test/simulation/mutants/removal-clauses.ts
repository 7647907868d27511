/** Clauses of the rules of proofs/removal-rules.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

const UNWANTED = "src/plan/decide-unwanted.ts";
const ENDS = "src/sync/absence/confirm-ends.ts";
const WATCHED = "src/controllers/objects/observe-objects.ts";
const ENDED = "src/controllers/objects/ended-kinds.ts";

export const REMOVAL_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "ADR 0065 an emptied spec is a mistake (the rule before)",
    file: "src/sources/gardener/dnsentry.ts",
    from: "if (read.value.typed.length === 0) return invalid(EMPTIED, name.value);",
    to: "if (read.value.typed.length === 0) return { ...NOTHING, problems, objectTransfer };",
    breaks: /^an emptied spec removes/,
  },
  {
    drops: "ADR 0066 a member stays while what its object wants instead is behind another object",
    file: UNWANTED,
    from: "const waiting = held.concat(losersOf(one, context));",
    to: "const waiting = held;",
    breaks: /^an edit takes a member out/,
  },
  {
    drops: "ADR 0066 a member that its object has replaced goes",
    file: UNWANTED,
    from: "if (contenders.length === winners.length || winners.some(isAnswer)) return [];",
    to: "",
    breaks: /^a member that was replaced stays/,
  },
  {
    drops: "ADR 0063 an end with the definition proves nothing",
    file: ENDS,
    from: `if (definition?.state === "stands") return null;`,
    to: `if (definition?.state !== "unknown") return null;`,
    breaks: /^a deleted definition removes/,
  },
  {
    drops: "ADR 0063 a definition that is gone is as one that ends",
    file: WATCHED,
    from: `if (definition === null) return { state: "ends", message: \`\${where} is gone\` };`,
    to: "if (definition === null) return NOT_ENDING;",
    breaks: /^a definition that is gone removes/,
  },
  {
    drops: "ADR 0063 an entry that ends so is released",
    file: "src/gardener/dns-entry/decide-entry-deletion.ts",
    from: "if (ended !== undefined) return released(",
    to: "if (ended?.code === null) return released(",
    breaks: /^a deleted definition never ends/,
  },
  {
    drops: "ADR 0063 a whole kind is one set",
    file: "src/plan/fuse.ts",
    from: `proof === "whole-kind" && (input`,
    to: `proof === "weak" && (input`,
    breaks: /^3 of 3 pass/,
  },
  {
    drops: "ADR 0063 two are single deletions",
    file: ENDED,
    from: "const OBJECTS_MIN = 3;",
    to: "const OBJECTS_MIN = 2;",
    breaks: /^2 of 2 wait/,
  },
  {
    drops: "ADR 0063 some of a kind are not all",
    file: ENDED,
    from: "if (this.#alive > 0) return;",
    to: "if (this.#alive > 0 && this.#ends.size < 8) return;",
    breaks: /^8 of 9 wait/,
  },
  {
    drops: "ADR 0063 a deleted namespace is an order of its own",
    file: ENDS,
    from: "if (object === undefined || ending.get(namespaceText(object)) === true) return change;",
    to: "if (object === undefined) return change;",
    breaks: /^a deleted namespace waits/,
  },
];
