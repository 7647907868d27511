/**
 * What Zonekeeper leaves at a name, by the rules that docs/guides/coming-from-external-dns.md gives
 * where they are not those of external-dns; each that decided is a reason.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import {
  excludes,
  type Line,
  lineText,
  listedBy,
  type MarkedLine,
  type Wanting,
} from "./name-facts.ts";
import { compareTargets } from "./their-rules.ts";

/** As the guide says them. */
export const REASONS = {
  orphan: "A record with your owner id whose object nobody here has seen stays",
  mistake: "A mistaken annotation keeps the names of its object as they are",
  alone: "An object that is given to another controller keeps its records",
  address: "An object without an address keeps the records of its names",
  renamed:
    "An object that has another name instead keeps the former one until the new one is published",
  ttl: "A TTL that an object takes away stays",
  tie: "Where two objects want the same values with other TTLs, the older one's counts",
  holder: "The object that has a name keeps it, where another one wants what cannot be beside it",
} as const;
export type Reason = keyof typeof REASONS;

/** A name in one state of a world. */
export interface Facts {
  readonly name: string;
  /** Before this state. */
  readonly standing: readonly MarkedLine[];
  readonly now: readonly Wanting[];
  /** What objects wanted in earlier states, the oldest first. */
  readonly past: readonly (readonly Wanting[])[];
  /** Lines that are left at other names. */
  readonly leftAt: (name: string) => readonly MarkedLine[];
}

/** Lines that are left, and why these are not those of external-dns. */
export interface Outcome {
  readonly left: readonly Line[];
  readonly reasons: ReadonlySet<Reason>;
}

/** Foreign records are in the way of new ones, and stay. */
export function leftByOurRules(facts: Facts): Outcome {
  return new Name(facts).outcome();
}

class Name {
  readonly #facts: Facts;
  readonly #own: readonly MarkedLine[];
  readonly #lines: readonly Line[];
  /** Objects that list the name, without saying what it is to be. */
  readonly #unclear: readonly Wanting[];
  readonly #reasons = new Set<Reason>();

  constructor(facts: Facts) {
    const { name, now, standing } = facts;
    this.#facts = facts;
    this.#own = standing.filter(({ owner }) => owner === "me");
    this.#lines = now.flatMap((one) => (one.isMistaken ? [] : (one.wishes.get(name) ?? [])));
    this.#unclear = now.filter(
      (one) =>
        one.found.waiting.some((waiting) => waiting.name === name) ||
        (!one.found.complete && lastListed(one, facts).has(name)),
    );
    if (now.some((one) => one.isMistaken && one.wishes.has(name))) this.#reasons.add("mistake");
  }

  outcome(): Outcome {
    const { standing } = this.#facts;
    const winners = this.#winners();
    const written = winners.filter((one) => this.#mayWrite(one));
    const held = winners.filter((one) => !written.includes(one));
    const kept = standing.filter((one) => {
      if (one.owner !== "me") return true;
      if (written.some((winner) => excludes(winner, one))) return false;
      const why = this.#keeps(one);
      const isHeld = held.concat(this.#behind(one, winners)).some(isOfObjectOf(one));
      if (why === null || (why === "renamed" && written.length > 0)) return isHeld;
      this.#reasons.add(why);
      return true;
    });
    return { left: [...kept, ...written.map((one) => this.#timed(one))], reasons: this.#reasons };
  }

  /** In place of the record its object wants what other objects are before. */
  #behind(one: MarkedLine, winners: readonly Line[]): readonly Line[] {
    if (winners.some(isOfObjectOf(one))) return [];
    return this.#lines.filter((own) => excludes(own, one));
  }

  /** A TTL that nobody wishes is that of before. */
  #timed(winner: Line): Line {
    const present = this.#own.find(({ type }) => type === winner.type);
    if (winner.ttl === null && present !== undefined && present.ttl !== 300)
      this.#reasons.add("ttl");
    return { ...winner, ttl: winner.ttl ?? present?.ttl ?? 300 };
  }

  /** The object in a marker first, then as external-dns has it, then the older one. */
  #winners(): readonly Line[] {
    const winners: Line[] = [];
    const ranked = this.#lines
      .map((one) => this.#joined(one))
      .sort(
        (a, b) =>
          this.#incumbency(a) - this.#incumbency(b) ||
          compareTargets(a, b) ||
          this.#since(a) - this.#since(b) ||
          compareText(a.resource, b.resource) ||
          compareText(JSON.stringify(a.ttl), JSON.stringify(b.ttl)),
      );
    for (const own of ranked) {
      const winner = winners.find((one) => excludes(one, own));
      if (winner === undefined) winners.push(own);
      else if (lineText(winner) !== lineText(own)) {
        if (this.#incumbency(winner) < 2) this.#reasons.add("holder");
        if (winner.values.join() === own.values.join()) this.#reasons.add("tie");
      }
    }
    return winners;
  }

  /** With the values of all objects of its kind (ADR 0126), and those that are not given up. */
  #joined(own: Line): Line {
    if (own.type === "CNAME") return own;
    const [kind = ""] = own.resource.split("/");
    const group = this.#lines
      .filter(
        (one) =>
          one.type === own.type &&
          one.resource.startsWith(`${kind}/`) &&
          (one.ttl === own.ttl || kind === "service"),
      )
      .sort((a, b) => compareText(a.resource, b.resource));
    const values = new Set(group.flatMap((one) => one.values));
    const present = this.#own.find(({ type }) => type === own.type);
    const surplus = present?.values.filter((value) => !values.has(value)) ?? [];
    const unclear = this.#unclear.find(
      ({ resource }) =>
        present?.resource.split("/")[0] === resource.split("/")[0] &&
        !group.some((one) => one.resource === resource),
    );
    if (unclear !== undefined && surplus.length > 0) {
      this.#reasons.add(whyUnclear(unclear));
      for (const value of surplus) values.add(value);
    }
    return { ...own, ttl: group[0]?.ttl ?? null, values: [...values].sort() };
  }

  /** 0: its marker is at this type; 1: at another one of the name; 2: at none. */
  #incumbency({ type, resource }: Line): number {
    const marked = this.#own.filter((one) => one.resource === resource);
    if (marked.some((one) => one.type === type)) return 0;
    return marked.length > 0 ? 1 : 2;
  }

  #since({ resource }: Line): number {
    const { past } = this.#facts;
    const at = past.findIndex((then) => then.some((one) => one.resource === resource));
    return at < 0 ? past.length : at;
  }

  /** Neither a foreign record is in the way, nor one that its own object may still want. */
  #mayWrite(winner: Line): boolean {
    const { standing } = this.#facts;
    const present = standing.filter(({ type }) => type === winner.type);
    const around =
      present.length > 0
        ? present
        : standing.filter((one) => one.owner !== "me" || excludes(one, winner));
    const blocks = around.map((one) => {
      if (one.owner !== "me") return "foreign";
      const why = one.resource === winner.resource ? null : this.#keeps(one);
      return why === "renamed" ? null : why;
    });
    const block = blocks.find((one) => one !== null) ?? null;
    if (block !== null && block !== "foreign") this.#reasons.add(block);
    return block === null;
  }

  /** Why a record stays that no winner has; null = it goes. */
  #keeps(one: MarkedLine): Reason | null {
    const { name, now, past } = this.#facts;
    const [unclear] = this.#unclear;
    if (unclear !== undefined) return whyUnclear(unclear);
    const isIt = ({ resource }: Wanting): boolean => resource === one.resource;
    const object = now.find(isIt);
    if (object === undefined) return past.some((then) => then.some(isIt)) ? null : "orphan";
    if (listedBy(object).has(name)) return null;
    if (!object.found.complete) return whyUnclear(object);
    return isRenamed(object, one, this.#facts) ? "renamed" : null;
  }
}

function isOfObjectOf({ resource }: Line) {
  return (one: Line): boolean => one.resource === resource;
}

function whyUnclear({ found, isMistaken, wishes }: Wanting): Reason {
  if (isMistaken) return "mistake";
  const isAlone = !found.complete && found.waiting.length === 0 && wishes.size === 0;
  return isAlone ? "alone" : "address";
}

/** What it listed when it could be read completely, and since. */
function lastListed(object: Wanting, { past }: Facts): ReadonlySet<string> {
  const listed = new Set(listedBy(object));
  if (object.found.complete) return listed;
  for (const then of [...past].reverse()) {
    const was = then.find(({ resource }) => resource === object.resource);
    if (was === undefined) break;
    for (const name of listedBy(was)) listed.add(name);
    if (was.found.complete) break;
  }
  return listed;
}

/** A name that came in the edit which took this one off has no record that answers as this one. */
function isRenamed(
  object: Wanting,
  former: MarkedLine,
  { name, past, now, leftAt }: Facts,
): boolean {
  const states = [...past, now].map((then) =>
    then.find(({ resource }) => resource === object.resource),
  );
  const last = states.findLastIndex((one) => one !== undefined && listedBy(one).has(name));
  const [before, edited = object] = [states[last], states[last + 1]];
  const known = before === undefined ? new Set<string>() : listedBy(before);
  return [...listedBy(edited)].some((other) => {
    if (known.has(other)) return false;
    const wanted = object.wishes.get(other) ?? [];
    const same = wanted.filter(({ type }) => type === former.type);
    const answers = same.length > 0 ? same : wanted;
    const isThere = (want: Line): boolean =>
      leftAt(other).some(
        ({ type, owner, resource, values }) =>
          owner === "me" &&
          type === want.type &&
          (resource === object.resource || values.join() === want.values.join()),
      );
    return answers.length === 0 || !answers.every(isThere);
  });
}
