/** The clauses about secondary kinds as the source has them, each with its loss. Data only. */
import type { Mutant } from "./mutant.ts";

const READS = "src/sources/secondary-reads.ts";
const ZONES = "src/source-controllers/zones/zone-source-controller.ts";

/** One line a clause; all die in proofs/new-sources.ts. */
export const SOURCE_CLAUSES: readonly Mutant[] = [
  {
    drops: "Z-1 a look-up that has no answer makes the answer incomplete",
    file: READS,
    from: "if (unread.size === 0) return { ...found, reads };",
    to: "if (unread.size >= 0) return { ...found, reads };",
  },
  {
    drops: "Z-1 a reference to a kind that is not served is not understood",
    file: READS,
    from: 'const LIVE: ReadonlySet<KindState> = new Set(["live"]);',
    to: 'const LIVE: ReadonlySet<KindState> = new Set(["live", "absent"]);',
  },
  {
    drops: "what an object read decides when it is answered again",
    file: ZONES,
    from: "onChange: (change) => this.#addEach(this.#dependents.readersOf(change)),",
    to: "onChange: () => {},",
  },
  {
    drops: "Z-1 incomplete answers are due once their kind is live",
    file: "src/controllers/objects/dependents.ts",
    from: 'return isReader && (state !== "live" || !complete) ? key : [];',
    to: "return isReader && complete ? key : [];",
  },
  {
    drops: "Z-3 kinds that sources read besides their own gate removals",
    file: "src/app/start-controllers.ts",
    from: "source.secondary.map((kind) => ({ ...others, kind, isSecondary: true })),",
    to: "source.secondary.slice(0, 0).map((kind) => ({ ...others, kind, isSecondary: true })),",
  },
  {
    drops: "Z-2 a removal is confirmed with the secondary objects as they are now",
    file: "src/controllers/objects/read-now.ts",
    from: "(found.reads ?? []).filter((read) => !this.#now.has(read));",
    to: "(found.reads ?? []).slice(0, 0);",
  },
];

/** About both ways of publishing; all die in proofs/publish-ways.ts. */
export const WAY_CLAUSES: readonly Mutant[] = [
  {
    drops: "an object publishes no name that its DNSEntry publishes",
    file: "src/source-controllers/zones/linked-entries.ts",
    from: "if (taken.size === 0) return found;",
    to: "if (taken.size >= 0) return found;",
  },
  {
    drops: "a deleted entry does not wait for a record that its original wants",
    file: "src/sync/zone/name-report.ts",
    from: "if (contribution.deleting && isWantedByOthers(input, name, owned)) return null;",
    to: "",
  },
];
