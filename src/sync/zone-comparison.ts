/**
 * Which names of a zone differ between what is wanted and what stands, by ids alone (DESIGN §11). Says "even" only where
 * `planName` would change and hold nothing; where that takes a second look it says "uneven", and the planner decides.
 */
import type { DnsName } from "../model/dns-name.ts";
import { trustedDnsName } from "../model/dns-name.ts";
import type { RecordSet } from "../model/record-set.ts";
import { itemAt, NO_TTL, WANTED } from "./bulk/contribution-rows.ts";
import { FLAG, OWNED } from "./bulk/owned-rows.ts";
import { NO_ROW } from "./bulk/row-table.ts";
import { NONE } from "./bulk/text-pool.ts";
import { bodyText, type ZoneTexts } from "./bulk/zone-texts.ts";
import type { ZoneSetup } from "./contract.ts";
import type { DesiredIndex } from "./desired-index.ts";
import type { ZoneState } from "./zone-state.ts";

/** The two sides; all of them made with the same `texts`. */
export interface Sides {
  readonly index: DesiredIndex;
  readonly state: ZoneState;
  readonly texts: ZoneTexts;
}

/** What evenness depends on besides the records. */
export interface Terms {
  readonly setup: ZoneSetup;
  readonly mainOwner: string;
}

/** Terms as ids, for one walk. */
interface Bound extends Terms {
  readonly mainOwnerId: number;
  readonly managed: ReadonlySet<number>;
}

/** Data under our marker, which nobody else claims. */
const WHOLE = FLAG.ours | FLAG.data | FLAG.marker;
/** … and final: the marker is not in the middle of a sequence (Z-10), and no permit stands beside it (Z-13). */
const LOOKED_AT = WHOLE | FLAG.sequence | FLAG.permit;
/** Of one name at most these two are compared by id; more is the planner's. */
const PAIR: ReadonlySet<string> = new Set(["A", "AAAA"]);

/** Compares both sides of one zone. */
export class ZoneComparison {
  readonly #sides: Sides;

  constructor(sides: Sides) {
    this.#sides = sides;
  }

  /** Ids of all names whose two sides differ, from an id on, ascending. */
  *uneven(terms: Terms, fromId = 0): Iterable<number> {
    const bound = this.#bind(terms);
    for (let id = fromId; id < this.#sides.texts.names.idsEnd; id++)
      if (!this.#isEvenId(id, bound)) yield id;
  }

  /** The same of ids below `endId`, as a list: no generator, for a full pass asks this of millions. */
  unevenBelow(terms: Terms, fromId: number, endId: number): readonly number[] {
    const bound = this.#bind(terms);
    const end = Math.min(endId, this.#sides.texts.names.idsEnd);
    const uneven: number[] = [];
    for (let id = fromId; id < end; id++) if (!this.#isEvenId(id, bound)) uneven.push(id);
    return uneven;
  }

  /** The name of an id that `uneven` just gave. */
  nameOf(id: number): DnsName {
    return trustedDnsName(this.#sides.texts.names.textOf(id));
  }

  /** Whether both sides of a name are equal by id. Good as long as the terms are, and for the types seen so far. */
  evenness(terms: Terms): (name: DnsName) => boolean {
    const bound = this.#bind(terms);
    return (name) => {
      const id = this.#sides.texts.names.find(name);
      return id === NONE || this.#isEvenId(id, bound);
    };
  }

  #bind(terms: Terms): Bound {
    const { words } = this.#sides.texts;
    const managed = new Set([...terms.setup.managedTypes].map((type) => words.find(type)));
    managed.delete(NONE);
    return { ...terms, managed, mainOwnerId: words.find(terms.mainOwner) };
  }

  #isEvenId(id: number, bound: Bound): boolean {
    const { index, state } = this.#sides;
    const wish = index.byName.first(id);
    const standing = state.owned.byName.first(id);
    if (wish === NO_ROW) return this.#isNobodysOf(standing);
    if (standing === NO_ROW) return false;
    const otherWish = index.byName.next(wish);
    const otherStanding = state.owned.byName.next(standing);
    if ((otherWish === NO_ROW) !== (otherStanding === NO_ROW)) return false;
    const isEven =
      otherWish === NO_ROW
        ? this.#isMet(wish, standing, bound)
        : this.#isPairMet([wish, otherWish], [standing, otherStanding], bound);
    return isEven && !this.#isDelegated(id);
  }

  /** True when nothing in the chain is ours, or claimed by us and others, and no permit is there. */
  #isNobodysOf(standing: number): boolean {
    const { rows, byName } = this.#sides.state.owned;
    for (let row = standing; row !== NO_ROW; row = byName.next(row))
      if ((rows.get(row, OWNED.flags) & (FLAG.claimed | FLAG.permit)) !== 0) return false;
    return true;
  }

  /** A and AAAA of one name, in whichever order they stand. */
  #isPairMet(
    wishes: readonly [number, number],
    standing: readonly [number, number],
    bound: Bound,
  ): boolean {
    const { index, state, texts } = this.#sides;
    const [one, two] = standing;
    if (index.byName.next(wishes[1]) !== NO_ROW) return false;
    if (state.owned.byName.next(two) !== NO_ROW) return false;
    const types = wishes.map((row) => index.rows.get(row, WANTED.type));
    if (types[0] === types[1]) return false;
    if (types.some((type) => type === NONE || !PAIR.has(texts.words.textOf(type)))) return false;
    const isSwapped = state.owned.rows.get(one, OWNED.type) !== types[0];
    return (
      this.#isMet(wishes[0], isSwapped ? two : one, bound) &&
      this.#isMet(wishes[1], isSwapped ? one : two, bound)
    );
  }

  /** The record set that stands is what is wanted, with the marker that is wanted. */
  #isMet(wish: number, standing: number, bound: Bound): boolean {
    const { rows } = this.#sides.index;
    const w = rows.offsetOf(wish);
    const o = this.#sides.state.owned.rows.offsetOf(standing);
    const wanted = rows.cellsOf(wish);
    const owned = this.#sides.state.owned.rows.cellsOf(standing);
    const type = wanted[w + WANTED.type] ?? NONE;
    if (owned[o + OWNED.type] !== type || type === NONE || !bound.managed.has(type)) return false;
    if (owned[o + OWNED.set] !== wanted[w + WANTED.set]) return false;
    const isMarked = isMarkedAsWanted([wanted, w], [owned, o], bound);
    return isMarked && this.#hasData(wish, standing, bound);
  }

  #hasData(wish: number, standing: number, bound: Bound): boolean {
    const { rows } = this.#sides.index;
    const w = rows.offsetOf(wish);
    const o = this.#sides.state.owned.rows.offsetOf(standing);
    const wanted = rows.cellsOf(wish);
    const owned = this.#sides.state.owned.rows.cellsOf(standing);
    if (wanted[w + WANTED.readBody] === NONE && !this.#readBack(wish, bound)) return false;
    if (owned[o + OWNED.body] !== wanted[w + WANTED.readBody]) return false;
    const ttl = wanted[w + WANTED.readTtl];
    return ttl === NO_TTL || ttl === owned[o + OWNED.ttl];
  }

  /** Asks once how the provider reads the item back. False when it would have another key. */
  #readBack(wish: number, { setup }: Bound): boolean {
    const { index, texts } = this.#sides;
    const item = itemAt(index.rows, wish, texts);
    const { name, type, setIdentifier, values, properties, routingPolicy } = item;
    const ttlSeconds = item.ttlSeconds ?? setup.defaultTtlSeconds;
    const data = { name, type, setIdentifier, ttlSeconds, values, properties, routingPolicy };
    const read: RecordSet = setup.session.normalize(data);
    if (read.type !== item.type || read.setIdentifier !== item.setIdentifier) return false;
    index.rows.set(wish, WANTED.readBody, texts.bodies.intern(bodyText(read)));
    index.rows.set(wish, WANTED.readTtl, item.ttlSeconds === null ? NO_TTL : read.ttlSeconds);
    return true;
  }

  #isDelegated(id: number): boolean {
    const { table } = this.#sides.state;
    return table.hasDelegations && table.delegationOf(this.nameOf(id)) !== null;
  }
}

/** A row's cells in the array that they lie in, and where. */
type Cells = readonly [array: Int32Array, offset: number];

function isMarkedAsWanted([wanted, w]: Cells, [owned, o]: Cells, { mainOwnerId }: Bound): boolean {
  if (((owned[o + OWNED.flags] ?? 0) & LOOKED_AT) !== WHOLE) return false;
  const owner = wanted[w + WANTED.owner];
  if (owned[o + OWNED.owner] !== (owner === NONE ? mainOwnerId : owner)) return false;
  if (owned[o + OWNED.resource] !== wanted[w + WANTED.resource]) return false;
  const cluster = owned[o + OWNED.cluster];
  return cluster === NONE || cluster === wanted[w + WANTED.cluster];
}
