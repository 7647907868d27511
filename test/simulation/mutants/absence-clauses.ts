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
  /** Lines of defence that hide the loss, and fall with and without the clause. */
  readonly behind?: readonly Replacement[];
}

/**
 * Behind all of them stands a read of the object itself (ADR 0021), which kept-clauses.ts drops
 * alone.
 */
export const UNASKED: Mutant = {
  drops: "ADR 0021 what was heard is confirmed",
  clause: "absence-is-confirmed",
  to: "const TO_CONFIRM = new Set<string>();",
};
/** The gate of a kind that is gone and that markers name: it waits whatever the clauses say. */
export const UNMARKED: Replacement = {
  clause: "marked-kind-closes-gate",
  to: "const isMarked = () => false;",
};
/** Z-2: the end of an entry proves nothing while the object that it was made for lists the name. */
const ORIGINAL_LISTED: Replacement = { clause: "original-lists-the-name" };
/** Z-1: an object that is not known completely takes no entry away, so that none of them ends. */
const REMOVED_INCOMPLETE: Replacement = {
  clause: "incomplete-removes-no-entry",
  to: "!isWaiting(entry)",
};
const DISCOVERED_EMPTY: Replacement = {
  clause: "undiscovered-kind-is-not-empty",
  to: 'if (state === "absent") return { ...inCluster(watched), state }; $&',
};
/** Z-22 stands behind what says whose a record is; dropped where that is to show alone. */
export const UNSEEN: Replacement = {
  clause: "unseen-proves-nothing",
};
/** Z-32 stands behind what says that an object omits a name. */
const UNHELD: Replacement = {
  clause: "former-name-waits-for-new",
};

/** One line a clause. */
export const CLAUSES: readonly Clause[] = [
  {
    drops: "Z-1 an incomplete contribution proves nothing",
    dies: "world",
    seed: 5,
    clause: "incomplete-proves-nothing",
    to: "const isComplete = true;",
  },
  {
    drops: "Z-1 a problem that could hide a name makes a Service's names incomplete",
    dies: "world",
    seed: 12,
    clause: "service-problem-hides-names",
  },
  {
    drops: "Z-1 a problem that could hide a name makes an Ingress's names incomplete",
    dies: "world",
    seed: 34,
    clause: "ingress-problem-hides-names",
    to: "complete: !isMistyped",
  },
  {
    drops: "Z-1 what is incomplete removes no entry",
    dies: "world",
    seed: 10,
    behind: [UNMARKED, ORIGINAL_LISTED],
    clause: "incomplete-removes-no-entry",
    to: "!isWaiting(entry)",
  },
  {
    drops: "Z-1 an unknown look-up is not absent",
    dies: "world",
    seed: 2,
    behind: [UNMARKED],
    clause: "unknown-is-not-absent",
    to: 'return "absent";',
  },
  {
    drops: "Z-2a names that wait are listed (entries)",
    dies: "world",
    seed: 36,
    behind: [UNMARKED, ORIGINAL_LISTED],
    clause: "waiting-name-keeps-entry",
  },
  {
    drops: "Z-2a names that wait are listed (contributions)",
    dies: "contributions",
    clause: "waiting-names-are-listed",
  },
  {
    drops: "Z-2a names last known are listed",
    dies: "contributions",
    clause: "last-known-names-are-listed",
  },
  {
    drops: "Z-2b a live object has to say so itself",
    dies: "world",
    seed: 5,
    clause: "live-object-omits-name",
    to: 'return "object-omits-name";',
  },
  {
    drops: "Z-2b an original that is incomplete omits nothing",
    dies: "world",
    seed: 36,
    behind: [UNHELD, REMOVED_INCOMPLETE],
    clause: "incomplete-original-omits-nothing",
  },
  {
    drops: "Z-2b what is not listed is not therefore gone",
    dies: "world",
    seed: 2,
    clause: "unlisted-name-needs-its-object",
    to: 'const object = () => ({ who: "", proof: "object-omits-name" });',
  },
  {
    drops: "Z-2 what is listed by a way that is not open keeps the record",
    dies: "contributions",
    clause: "other-lister-keeps-record",
  },
  {
    drops: "Z-2 what others want by another account is kept as the last answer",
    dies: "contributions",
    clause: "answered-by-another-account",
    to: "return isAnswered !== null ? { proven: true, proof: absence.unlessAnswered } : absence;",
  },
  {
    drops: "Z-2 what a zone heard before something newer is no proof",
    dies: "contributions",
    seed: 93,
    clause: "stale-contribution-is-no-proof",
    to: "return by.some((one) => isSameObject(one, entry));",
  },
  {
    drops: "Z-2 not assigned to this provider is no proof",
    dies: "world",
    seed: 13,
    clause: "unassigned-is-no-proof",
    to: 'this.#absences.withdrawn(object, "deleted-object"); $&',
  },
  {
    drops: "Z-3 kinds that are not listed and live gate every removal",
    dies: "world",
    clause: "incomplete-kind-gates",
    to: "continue;",
  },
  {
    drops: "Z-3 a closed gate counts whatever was seen",
    dies: "contributions",
    clause: "closed-gate-holds",
  },
  {
    drops: "Z-3 a kind that discovery lacks is not empty",
    dies: "world",
    seed: 2,
    behind: [UNMARKED],
    ...DISCOVERED_EMPTY,
  },
  {
    drops: "Z-3 a kind that is gone and that markers name closes the gate",
    dies: "world",
    seed: 2,
    behind: [DISCOVERED_EMPTY],
    ...UNMARKED,
  },
  {
    drops: "Z-4 an object without targets keeps its names",
    dies: "world",
    seed: 8,
    clause: "no-targets-keep-names",
  },
  {
    drops: "Z-5 an entry that does not validate keeps its records",
    dies: "world",
    clause: "invalid-entry-keeps-records",
    to: "decideValid({ ...context, found: { ...found, waiting: [], complete: true } }, [])",
  },
  {
    drops: "Z-5 a target or TTL that cannot be read takes nothing away",
    dies: "world",
    seed: 8,
    clause: "unreadable-ttl-is-a-mistake",
    to: "NOTHING",
  },
];
