/**
 * The clauses of Z-1 to Z-5 as the source has them, each with the source text without the clause.
 * Data only.
 */
import type { Mutant, Replacement } from "./mutant.ts";

/** A clause, and where its loss shows. */
export interface Clause extends Mutant {
  /**
   * `world`: in the whole system. `contributions`: only at the engine, because controllers never
   * let it come to that; a second line of defence must hold by itself all the same.
   */
  readonly dies: "world" | "contributions";
  /** One that has shown it, where others take long to find: tried before all of them. */
  readonly seed?: number;
  /** A gate that hides the loss, and falls with and without the clause. */
  readonly behind?: Replacement;
}

const LISTED = "src/sync/absence/listed-names.ts";
const TRACKER = "src/sync/absence/absence-tracker.ts";
const OBSERVATION = "src/sync/contract/object-observation.ts";
/**
 * Behind all of them stands a read of the object itself (ADR 0021), which kept-clauses.ts drops
 * alone.
 */
export const UNASKED: Mutant = {
  drops: "ADR 0021 what was heard is confirmed",
  file: "src/sync/absence/confirm-absences.ts",
  from: `  "missing-from-list",
  "object-dropped-name",
  "object-omits-name",
`,
  to: "",
};
/** The gate of a kind that is gone and that markers name: it waits whatever the clauses say. */
export const UNMARKED: Replacement = {
  file: TRACKER,
  from: "this.#isMarked = isKindMarked ?? (() => false);",
  to: "this.#isMarked = () => false;",
};
const DISCOVERED_EMPTY: Replacement = {
  file: "src/controllers/objects/observe-objects.ts",
  from: `if (state !== "live") return`,
  to: `if (state === "absent") return { ...inCluster(watched), state };
    if (state !== "live") return`,
};
/** Z-22 stands behind what says whose a record is; dropped where that is to show alone. */
export const UNSEEN: Replacement = {
  file: "src/sync/absence/judge-object.ts",
  from: "return verdict.proven ? (unseen() ?? verdict) : verdict;",
  to: "return verdict;",
};
/** Z-32 stands behind what says that an object omits a name. */
const UNHELD: Replacement = {
  file: "src/sync/zone/judge-rename.ts",
  from: 'if (state === "open") return heldFor(instead, renamed.object, given.proof);',
  to: "",
};
const ENTRIES = "src/source-controllers/entries/plan-entries.ts";
const BALANCER = "src/sources/shared/load-balancer.ts";

/** One line a clause. */
export const CLAUSES: readonly Clause[] = [
  {
    drops: "Z-1 an incomplete contribution proves nothing",
    dies: "world",
    seed: 5,
    file: TRACKER,
    from: "const isComplete = deleting || found.complete;",
    to: "const isComplete = true;",
  },
  {
    drops: "Z-1 a problem that could hide a name makes a Service's names incomplete",
    dies: "world",
    seed: 12,
    file: "src/sources/core/service-dns.ts",
    from: "complete: annotated.problems.length === 0",
    to: "complete: true",
  },
  {
    drops: "Z-1 a problem that could hide a name makes an Ingress's names incomplete",
    dies: "world",
    seed: 34,
    file: "src/sources/networking/ingress-dns.ts",
    from: "complete: annotated.problems.length === 0 && hidden.length === 0",
    to: "complete: true",
  },
  {
    drops: "Z-1 what is incomplete removes no entry",
    dies: "world",
    seed: 607,
    behind: UNMARKED,
    file: ENTRIES,
    from: "(found.complete && !isWaiting(entry))",
    to: "!isWaiting(entry)",
  },
  {
    drops: "Z-1 an unknown look-up is not absent",
    dies: "world",
    seed: 2,
    behind: UNMARKED,
    file: OBSERVATION,
    from: `return states.includes("unknown") ? "unknown" : "absent"`,
    to: `return "absent"`,
  },
  {
    drops: "Z-2a names that wait are listed (entries)",
    dies: "world",
    seed: 36,
    behind: UNMARKED,
    file: ENTRIES,
    from: "(found.complete && !isWaiting(entry))",
    to: "found.complete",
  },
  {
    drops: "Z-2a names that wait are listed (contributions)",
    dies: "contributions",
    file: LISTED,
    from: "for (const wait of found.waiting) names.set(wait.name, wait.reason);",
    to: "",
  },
  {
    drops: "Z-2a names last known are listed",
    dies: "contributions",
    file: LISTED,
    from: `if (!found.complete) for (const name of known) names.set(name, "SourceIncomplete");`,
    to: "",
  },
  {
    drops: "Z-2b a live object has to say so itself",
    dies: "world",
    seed: 5,
    file: "src/sync/absence/judge-object.ts",
    from: "if (omitsName(observation, name))",
    to: "",
  },
  {
    drops: "Z-2b an original that is incomplete omits nothing",
    dies: "world",
    seed: 223,
    behind: UNHELD,
    file: OBSERVATION,
    from: "return complete && [...items, ...waiting]",
    to: "return [...items, ...waiting]",
  },
  {
    drops: "Z-2b what is not listed is not therefore gone",
    dies: "world",
    seed: 2,
    file: TRACKER,
    from: "const verdict = this.#judgeByObject(name, unwanted, kinds);",
    to: `const verdict = { proven: true, proof: "object-omits-name" };`,
  },
  {
    drops: "Z-2 what is listed by a way that is not open keeps the record",
    dies: "contributions",
    file: TRACKER,
    from: "if (otherLister === undefined) return verdict;",
    to: "return verdict;",
  },
  {
    drops: "Z-2 what others want by another account is kept as the last answer",
    dies: "contributions",
    file: "src/plan/decide-unwanted.ts",
    from: "return isAnswered ?",
    to: "return isAnswered !== null ?",
  },
  {
    drops: "Z-2 what a zone heard before something newer is no proof",
    dies: "contributions",
    seed: 93,
    file: "src/sync/absence/latest-contributions.ts",
    from: "&& printOf(one) === entry.print;",
    to: ";",
  },
  {
    drops: "Z-2 not assigned to this provider is no proof",
    dies: "world",
    seed: 13,
    file: "src/sync/engine.ts",
    from: "unassign(key: ZoneKey, object: ObjectKey): void {",
    to: `unassign(key: ZoneKey, object: ObjectKey): void { this.#absences.withdrawn(object, "deleted-object");`,
  },
  {
    drops: "Z-3 kinds that are not listed and live gate every removal",
    dies: "world",
    file: OBSERVATION,
    from: `if (isComplete(one, name)) continue;`,
    to: "continue;",
  },
  {
    drops: "Z-3 a closed gate counts whatever was seen",
    dies: "contributions",
    file: TRACKER,
    from: `if (closed !== null) return unproven(closed.code, closed.message);`,
    to: "",
  },
  {
    drops: "Z-3 a kind that discovery lacks is not empty",
    dies: "world",
    seed: 2,
    behind: UNMARKED,
    ...DISCOVERED_EMPTY,
  },
  {
    drops: "Z-3 a kind that is gone and that markers name closes the gate",
    dies: "world",
    seed: 2,
    behind: DISCOVERED_EMPTY,
    ...UNMARKED,
  },
  {
    drops: "Z-4 an object without targets keeps its names",
    dies: "world",
    seed: 8,
    file: BALANCER,
    from: `if (addresses.typed.length === 0) return wait("NoTargets", []);`,
    to: "",
  },
  {
    drops: "Z-5 an entry that does not validate keeps its records",
    dies: "world",
    file: "src/gardener/dns-entry/decide-entry.ts",
    from: "if (found.items.length === 0) return decideInvalid(context);",
    to: "if (found.items.length === 0) return decideValid({ ...context, found: { ...found, waiting: [], complete: true } }, []);",
  },
  {
    drops: "Z-5 a target or TTL that cannot be read takes nothing away",
    dies: "world",
    seed: 8,
    file: BALANCER,
    from: "if (!ttl.ok) return mistyped(ttlProblem(wanted.object, ttl.error));",
    to: "if (!ttl.ok) return NOTHING;",
  },
];
