/**
 * Which names of a zone differ between what is wanted and what stands, by ids alone (DESIGN §11).
 * Says "even" only where `planName` would change and hold nothing; where that takes a second look
 * it says "uneven", and the planner decides.
 */
import type { DnsName } from "../../model/dns-name.ts";
import { trustedDnsName } from "../../model/dns-name.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { OpenZoneInput } from "../contract/zone.ts";
import type { Chains } from "./columns/chains.ts";
import { itemAt, NO_TTL, WANTED } from "./columns/contribution-rows.ts";
import { FLAG, OWNED } from "./columns/owned-rows.ts";
import { NO_ROW, RowReader } from "./columns/row-table.ts";
import { NONE } from "./columns/text-pool.ts";
import { bodyText, type ZoneTexts } from "./columns/zone-texts.ts";
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
  readonly setup: OpenZoneInput;
  readonly mainOwner: string;
}

/** Data under our marker, which nobody else claims. */
const WHOLE = FLAG.ours | FLAG.data | FLAG.marker;
/**
 * … and final: the marker is not in the middle of a sequence (Z-10), and no permit stands beside it
 * (Z-13).
 */
const LOOKED_AT = WHOLE | FLAG.sequence | FLAG.permit | FLAG.remnant;
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
    const walk = new Walk(this.#sides, terms);
    for (let id = fromId; id < this.#sides.texts.names.idsEnd; id++) if (!walk.isEven(id)) yield id;
  }

  /**
   * The same of ids below `endId`, as a list: no generator, for a full pass asks this of millions.
   */
  unevenBelow(terms: Terms, fromId: number, endId: number): readonly number[] {
    const walk = new Walk(this.#sides, terms);
    const end = Math.min(endId, this.#sides.texts.names.idsEnd);
    const uneven: number[] = [];
    for (let id = fromId; id < end; id++) if (!walk.isEven(id)) uneven.push(id);
    return uneven;
  }

  /** The name of an id that `uneven` just gave. */
  nameOf(id: number): DnsName {
    return trustedDnsName(this.#sides.texts.names.textOf(id));
  }

  /**
   * Whether both sides of a name are equal by id. Good as long as the terms are, and for the types
   * seen so far.
   */
  evenness(terms: Terms): (name: DnsName) => boolean {
    const walk = new Walk(this.#sides, terms);
    return (name) => {
      const id = this.#sides.texts.names.find(name);
      return id === NONE || walk.isEven(id);
    };
  }
}

/**
 * Both sides under the terms of now, name by name. Keeps at hand what a full pass asks for a
 * million times.
 */
class Walk {
  readonly #sides: Sides;
  readonly #terms: Terms;
  readonly #wishes: Chains;
  readonly #standing: Chains;
  readonly #wish: RowReader;
  readonly #stood: RowReader;
  readonly #managed: ReadonlySet<number>;
  readonly #mainOwnerId: number;

  constructor(sides: Sides, terms: Terms) {
    const { words } = sides.texts;
    const managed = new Set([...terms.setup.managedTypes].map((type) => words.find(type)));
    managed.delete(NONE);
    this.#sides = sides;
    this.#terms = terms;
    this.#wishes = sides.index.byName;
    this.#standing = sides.state.owned.byName;
    this.#wish = new RowReader(sides.index.rows);
    this.#stood = new RowReader(sides.state.owned.rows);
    this.#managed = managed;
    this.#mainOwnerId = words.find(terms.mainOwner);
  }

  /** Whether the two sides of the name are equal by id. */
  isEven(id: number): boolean {
    const wish = this.#wishes.first(id);
    const standing = this.#standing.first(id);
    if (wish === NO_ROW) return this.#isNobodysOf(standing);
    if (standing === NO_ROW) return false;
    const otherWish = this.#wishes.next(wish);
    const otherStanding = this.#standing.next(standing);
    if ((otherWish === NO_ROW) !== (otherStanding === NO_ROW)) return false;
    const isEven =
      otherWish === NO_ROW
        ? this.#isMet(wish, standing)
        : this.#isPairMet([wish, otherWish], [standing, otherStanding]);
    return isEven && !this.#isDelegated(id);
  }

  /**
   * True when nothing in the chain is ours, or claimed by us and others, and no permit is there.
   */
  #isNobodysOf(standing: number): boolean {
    const { rows, byName } = this.#sides.state.owned;
    for (let row = standing; row !== NO_ROW; row = byName.next(row))
      if ((rows.get(row, OWNED.flags) & (FLAG.claimed | FLAG.permit)) !== 0) return false;
    return true;
  }

  /** A and AAAA of one name, in whichever order they stand. */
  #isPairMet(wishes: readonly [number, number], standing: readonly [number, number]): boolean {
    const { index, state, texts } = this.#sides;
    const [one, two] = standing;
    if (index.byName.next(wishes[1]) !== NO_ROW) return false;
    if (state.owned.byName.next(two) !== NO_ROW) return false;
    const types = wishes.map((row) => index.rows.get(row, WANTED.type));
    if (types[0] === types[1]) return false;
    if (types.some((type) => type === NONE || !PAIR.has(texts.words.textOf(type)))) return false;
    const isSwapped = state.owned.rows.get(one, OWNED.type) !== types[0];
    return (
      this.#isMet(wishes[0], isSwapped ? two : one) && this.#isMet(wishes[1], isSwapped ? one : two)
    );
  }

  /** The record set that stands is what is wanted, with the marker that is wanted. */
  #isMet(wish: number, standing: number): boolean {
    this.#wish.go(wish);
    this.#stood.go(standing);
    const type = this.#wish.at(WANTED.type);
    if (this.#stood.at(OWNED.type) !== type || type === NONE || !this.#managed.has(type))
      return false;
    if (this.#stood.at(OWNED.set) !== this.#wish.at(WANTED.set)) return false;
    return this.#isMarkedAsWanted() && this.#hasData(wish);
  }

  #isMarkedAsWanted(): boolean {
    if ((this.#stood.at(OWNED.flags) & LOOKED_AT) !== WHOLE) return false;
    const owner = this.#wish.at(WANTED.owner);
    if (this.#stood.at(OWNED.owner) !== (owner === NONE ? this.#mainOwnerId : owner)) return false;
    if (this.#stood.at(OWNED.resource) !== this.#wish.at(WANTED.resource)) return false;
    const cluster = this.#stood.at(OWNED.cluster);
    return cluster === NONE || cluster === this.#wish.at(WANTED.cluster);
  }

  #hasData(wish: number): boolean {
    if (this.#wish.at(WANTED.readBody) === NONE && !this.#readBack(wish)) return false;
    if (this.#stood.at(OWNED.body) !== this.#wish.at(WANTED.readBody)) return false;
    const ttl = this.#wish.at(WANTED.readTtl);
    return ttl === NO_TTL || ttl === this.#stood.at(OWNED.ttl);
  }

  /** Asks once how the provider reads the item back. False when it would have another key. */
  #readBack(wish: number): boolean {
    const { index, texts } = this.#sides;
    const { setup } = this.#terms;
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
    const { state, texts } = this.#sides;
    if (!state.table.hasDelegations) return false;
    return state.table.delegationOf(trustedDnsName(texts.names.textOf(id))) !== null;
  }
}
