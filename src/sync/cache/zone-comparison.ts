/**
 * Which names of a zone are in sync, and which differ between the desired and the current state, by
 * ids alone (docs/architecture.md#budgets). A name is in sync only if `planName` would change and
 * hold nothing. Where ids cannot prove that, the name differs, and the planner decides.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
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

/** What the comparison depends on besides the records. */
export interface ComparisonContext {
  readonly zoneInput: OpenZoneInput;
  readonly mainOwner: string;
}

/** Flags of a record set with data under our marker that has no other claim. */
const OWNED_DATA = FLAG.ownedByUs | FLAG.data | FLAG.marker;
/**
 * Flags that are compared: the marker must also not be in the middle of a sequence (Z-10), and have
 * no permit (Z-13).
 */
const COMPARED_FLAGS = OWNED_DATA | FLAG.sequence | FLAG.permit | FLAG.staleCopy;
/** A name may have these two types; with any other pair the planner decides. */
const PAIR: ReadonlySet<string> = new Set(["A", "AAAA"]);

/** Compares both sides of one zone. */
export class ZoneComparison {
  readonly #sides: Sides;

  constructor(sides: Sides) {
    this.#sides = sides;
  }

  /** Ids of all names whose two sides differ, from an id on, ascending. */
  *differing(context: ComparisonContext, fromId = 0): Iterable<number> {
    const walk = new Walk(this.#sides, context);
    for (let id = fromId; id < this.#sides.texts.names.idsEnd; id++)
      if (!walk.isInSync(id)) yield id;
  }

  /**
   * As `differing`, for ids below `endId`, as a list: a generator would be slow for millions.
   */
  differingBelow(context: ComparisonContext, fromId: number, endId: number): readonly number[] {
    const walk = new Walk(this.#sides, context);
    const end = Math.min(endId, this.#sides.texts.names.idsEnd);
    const differing: number[] = [];
    for (let id = fromId; id < end; id++) if (!walk.isInSync(id)) differing.push(id);
    return differing;
  }

  /** The name of an id that `differing` just gave. */
  nameOf(id: number): DnsName {
    return trustedDnsName(this.#sides.texts.names.textOf(id));
  }

  /**
   * A test whether a name is in sync. Valid as long as the context is, and for the types known so
   * far.
   */
  inSyncTest(context: ComparisonContext): (name: DnsName) => boolean {
    const walk = new Walk(this.#sides, context);
    return (name) => {
      const id = this.#sides.texts.names.find(name);
      return id === NONE || walk.isInSync(id);
    };
  }
}

/**
 * Compares both sides under one context, name by name. Keeps at hand what a full pass asks for a
 * million times.
 */
class Walk {
  readonly #sides: Sides;
  readonly #context: ComparisonContext;
  readonly #desired: Chains;
  readonly #current: Chains;
  readonly #desiredRow: RowReader;
  readonly #currentRow: RowReader;
  readonly #managed: ReadonlySet<number>;
  readonly #mainOwnerId: number;

  constructor(sides: Sides, context: ComparisonContext) {
    const { symbols } = sides.texts;
    const managed = new Set([...context.zoneInput.managedTypes].map((type) => symbols.find(type)));
    managed.delete(NONE);
    this.#sides = sides;
    this.#context = context;
    this.#desired = sides.index.byName;
    this.#current = sides.state.owned.byName;
    this.#desiredRow = new RowReader(sides.index.rows);
    this.#currentRow = new RowReader(sides.state.owned.rows);
    this.#managed = managed;
    this.#mainOwnerId = symbols.find(context.mainOwner);
  }

  /** Whether the two sides of the name are equal by id. */
  isInSync(id: number): boolean {
    const desiredRow = this.#desired.first(id);
    const current = this.#current.first(id);
    if (desiredRow === NO_ROW) return this.#isUnowned(current);
    if (current === NO_ROW) return false;
    const otherDesired = this.#desired.next(desiredRow);
    const otherCurrent = this.#current.next(current);
    if ((otherDesired === NO_ROW) !== (otherCurrent === NO_ROW)) return false;
    const isInSync =
      otherDesired === NO_ROW
        ? this.#isRowInSync(desiredRow, current)
        : this.#isPairInSync([desiredRow, otherDesired], [current, otherCurrent]);
    return isInSync && !this.#isHidden(id);
  }

  /**
   * True when the chain has no record set that we own or claim, and no permit.
   */
  #isUnowned(current: number): boolean {
    const { rows, byName } = this.#sides.state.owned;
    for (let row = current; row !== NO_ROW; row = byName.next(row))
      if ((rows.get(row, OWNED.flags) & (FLAG.claimed | FLAG.permit)) !== 0) return false;
    return true;
  }

  /** A and AAAA of one name, in either order. */
  #isPairInSync(desired: readonly [number, number], current: readonly [number, number]): boolean {
    const { index, state, texts } = this.#sides;
    const [one, two] = current;
    if (index.byName.next(desired[1]) !== NO_ROW) return false;
    if (state.owned.byName.next(two) !== NO_ROW) return false;
    const types = desired.map((row) => index.rows.get(row, WANTED.type));
    if (types[0] === types[1]) return false;
    if (types.some((type) => type === NONE || !PAIR.has(texts.symbols.textOf(type)))) return false;
    const isSwapped = state.owned.rows.get(one, OWNED.type) !== types[0];
    return (
      this.#isRowInSync(desired[0], isSwapped ? two : one) &&
      this.#isRowInSync(desired[1], isSwapped ? one : two)
    );
  }

  /** The current record set has the desired data and the desired marker. */
  #isRowInSync(desiredRow: number, current: number): boolean {
    this.#desiredRow.go(desiredRow);
    this.#currentRow.go(current);
    const type = this.#desiredRow.at(WANTED.type);
    if (this.#currentRow.at(OWNED.type) !== type || type === NONE || !this.#managed.has(type))
      return false;
    if (this.#currentRow.at(OWNED.set) !== this.#desiredRow.at(WANTED.set)) return false;
    return this.#isMarkedAsWanted() && this.#hasData(desiredRow);
  }

  #isMarkedAsWanted(): boolean {
    if ((this.#currentRow.at(OWNED.flags) & COMPARED_FLAGS) !== OWNED_DATA) return false;
    const owner = this.#desiredRow.at(WANTED.owner);
    if (this.#currentRow.at(OWNED.owner) !== (owner === NONE ? this.#mainOwnerId : owner))
      return false;
    if (this.#currentRow.at(OWNED.resource) !== this.#desiredRow.at(WANTED.resource)) return false;
    const cluster = this.#currentRow.at(OWNED.cluster);
    return cluster === NONE || cluster === this.#desiredRow.at(WANTED.cluster);
  }

  #hasData(desiredRow: number): boolean {
    if (this.#desiredRow.at(WANTED.normalizedBody) === NONE && !this.#normalize(desiredRow))
      return false;
    if (this.#currentRow.at(OWNED.body) !== this.#desiredRow.at(WANTED.normalizedBody))
      return false;
    const ttl = this.#desiredRow.at(WANTED.normalizedTtl);
    return ttl === NO_TTL || ttl === this.#currentRow.at(OWNED.ttl);
  }

  /** Asks once how the provider reads the item back. False when it would have another key. */
  #normalize(desiredRow: number): boolean {
    const { index, texts } = this.#sides;
    const { zoneInput } = this.#context;
    const item = itemAt(index.rows, desiredRow, texts);
    const { name, type, setIdentifier, values, properties, routingPolicy } = item;
    const ttlSeconds = item.ttlSeconds ?? zoneInput.defaultTtlSeconds;
    const data = { name, type, setIdentifier, ttlSeconds, values, properties, routingPolicy };
    // clause: compared-data-is-normalized
    const read: RecordSet = zoneInput.session.normalize(data, zoneInput.zone);
    if (read.type !== item.type || read.setIdentifier !== item.setIdentifier) return false;
    index.rows.set(desiredRow, WANTED.normalizedBody, texts.bodies.intern(bodyText(read)));
    index.rows.set(
      desiredRow,
      WANTED.normalizedTtl,
      item.ttlSeconds === null ? NO_TTL : read.ttlSeconds,
    );
    return true;
  }

  /** True below a delegation or DNAME: records at the name are not what resolvers get. */
  #isHidden(id: number): boolean {
    const { state, texts } = this.#sides;
    if (!state.table.hasCuts) return false;
    const name = trustedDnsName(texts.names.textOf(id));
    return state.table.delegationOf(name) !== null || state.table.redirectionOf(name) !== null;
  }
}
