/**
 * The raw record sets of a zone as far as we know: read once, then kept up by confirmed outcomes,
 * deltas and re-reads. Kept in columns of ids (cache/columns); record sets are made on request.
 * `test/support/plain-zone` does the same with plain objects.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import type { Slices } from "@zonekeeper/base/ports/clock";
import { type DnsName, isAtOrBelow, parentOf } from "@zonekeeper/dns/names/dns-name";
import { isSameKey, type RecordSet, recordSetKeyText } from "../../model/record-set.ts";
import type { ZoneContent } from "../../ownership/ownership.ts";
import type { Change } from "../../plan/changes.ts";
import { Chains } from "./columns/chains.ts";
import { keyCells, recordSetAt, releaseKey } from "./columns/key-cells.ts";
import { NO_ROW, RowTable } from "./columns/row-table.ts";
import { NONE } from "./columns/text-pool.ts";
import { internCut, ZoneTexts } from "./columns/zone-texts.ts";

/** Cells of a row; the set identifier stands after the type, the TTL before the body. */
const NEXT = 0;
const NAME = 1;
const TYPE = 2;
const BODY = 5;
/** Resource of a body that was cut. */
const HOLE = 6;
const WIDTH = 7;

/** Most names that are asked for are not there. */
const NOTHING: readonly RecordSet[] = [];

/** Raw record sets of one zone by owner name. */
export class ZoneTable implements ZoneContent {
  readonly #apex: DnsName;
  readonly #texts: ZoneTexts;
  readonly #rows = new RowTable(WIDTH);
  readonly #byName = new Chains(this.#rows, NEXT);
  readonly #delegations = new Map<string, string>();
  readonly #redirections = new Map<string, string>();
  readonly #beginnings: UsedBeginnings;
  #revision = 0;

  /**
   * `texts`: the zone's pools, shared by all its tables. `beginnings`: texts with which names of
   * markers begin.
   */
  constructor(
    apex: DnsName,
    texts: ZoneTexts = new ZoneTexts(),
    beginnings: readonly string[] = [],
  ) {
    this.#apex = apex;
    this.#texts = texts;
    this.#beginnings = new UsedBeginnings(beginnings);
  }

  get unusedBeginnings(): ReadonlySet<string> {
    return this.#beginnings.unused;
  }

  /** Grows with each change. */
  get revision(): number {
    return this.#revision;
  }

  /** How many record sets it holds. */
  get size(): number {
    return this.#rows.live;
  }

  /** True when the zone has a delegation or a DNAME. */
  get hasCuts(): boolean {
    return this.#delegations.size + this.#redirections.size > 0;
  }

  /**
   * Names of delegations (NS below the apex) and of DNAMEs, each with its values as one text.
   */
  get cuts(): ReadonlyMap<string, string> {
    return this.#redirections.size === 0
      ? this.#delegations
      : new Map([...this.#redirections, ...this.#delegations]);
  }

  /** True when a name with this id holds something. */
  holds(nameId: number): boolean {
    return this.#byName.first(nameId) !== NO_ROW;
  }

  /** Every record set at a name, sorted by key; empty = none. */
  at(name: string): readonly RecordSet[] {
    const id = this.#texts.names.find(name);
    if (id === NONE) return NOTHING;
    const sets = this.#byName.of(id).map((row) => this.#read(row));
    return sets.length < 2 ? sets : sets.sort(byKey);
  }

  /** All names that hold something, in no special order. */
  *names(): Iterable<string> {
    for (let id = 0; id < this.#texts.names.idsEnd; id++)
      if (this.#byName.first(id) !== NO_ROW) yield this.#texts.names.textOf(id);
  }

  /** Puts what was read at a name in place of what was known. True if that differs. */
  replaceName(name: string, sets: readonly RecordSet[]): boolean {
    const id = this.#texts.names.intern(name);
    const moved = this.#swap(
      id,
      sets.map((set) => this.#write(set)),
    );
    this.#texts.names.release(id);
    return moved;
  }

  /** Takes a complete reading, walking it once. Answers the names that differ. One at a time. */
  async replaceAll(sets: Iterable<RecordSet>, { keep, slices }: Taking): Promise<MovedIds> {
    const { names } = this.#texts;
    const incoming = await this.#takeIn(sets, slices);
    const kept = new Set([...keep].map((name) => names.find(name)));
    const moved: MovedIds = { there: [], gone: [] };
    for (let id = 0, end = names.idsEnd; id < end; id++) {
      if (slices.isOver) await slices.next();
      const after = incoming.of(id);
      if (kept.has(id)) for (const row of after) this.#forget(row);
      else if (after.length > 0 && this.#swap(id, after)) moved.there.push(id);
      else if (after.length === 0 && this.#byName.first(id) !== NO_ROW) {
        moved.gone.push(names.textOf(id));
        this.#swap(id, after);
      }
    }
    return moved;
  }

  /** Rows of what was read, in chains of their own. */
  async #takeIn(sets: Iterable<RecordSet>, slices: Slices): Promise<Chains> {
    const incoming = new Chains(this.#rows, NEXT);
    for (const set of sets) {
      if (slices.isOver) await slices.next();
      const row = this.#write(set);
      incoming.add(this.#rows.get(row, NAME), row);
    }
    return incoming;
  }

  /** Carries out what a provider confirmed. */
  apply(change: Change): void {
    const target = change.op === "remove" ? change.previous : change.next;
    const others = this.at(target.name).filter((set) => !isSameKey(set, target));
    const next = change.op === "remove" ? others : [...others, change.next];
    this.replaceName(target.name, next);
  }

  /** The delegation at or above a name, inside the zone and below its apex; null = none (Z-18). */
  delegationOf(name: DnsName): DnsName | null {
    return this.#nearest(name, this.#delegations);
  }

  /** The DNAME above a name, inside the zone; null = none. At the name itself it hides nothing. */
  redirectionOf(name: DnsName): DnsName | null {
    const parent = name === this.#apex ? null : parentOf(name);
    return parent === null ? null : this.#nearest(parent, this.#redirections);
  }

  #nearest(name: DnsName, cuts: ReadonlyMap<string, string>): DnsName | null {
    if (cuts.size === 0) return null;
    for (let at: DnsName | null = name; at !== null; at = parentOf(at)) {
      if (!isAtOrBelow(at, this.#apex)) return null;
      if (cuts.has(at)) return at;
    }
    return null;
  }

  /**
   * Replaces the rows of a name by rows that are in no chain yet, or drops these if they are equal.
   * True if they differ.
   */
  #swap(id: number, after: readonly number[]): boolean {
    const before = this.#byName.of(id);
    if (this.#areEqual(before, after)) {
      for (const row of after) this.#forget(row);
      return false;
    }
    this.#revision += 1;
    this.#noteCut(id, after);
    for (const row of before) {
      this.#byName.remove(id, row);
      this.#forget(row);
    }
    for (const row of after) this.#byName.add(id, row);
    return true;
  }

  #areEqual(before: readonly number[], after: readonly number[]): boolean {
    if (before.length !== after.length) return false;
    const left = new Set(before);
    return after.every((row) => {
      for (const other of left) if (this.#isEqual(row, other)) return left.delete(other);
      return false;
    });
  }

  #isEqual(a: number, b: number): boolean {
    for (let column = TYPE; column <= HOLE; column++)
      if (this.#rows.get(a, column) !== this.#rows.get(b, column)) return false;
    return true;
  }

  #noteCut(id: number, rows: readonly number[]): void {
    for (const [type, cuts] of [
      ["NS", this.#delegations],
      ["DNAME", this.#redirections],
    ] as const) {
      const cut = rows.find(
        (row) => this.#texts.symbols.textOf(this.#rows.get(row, TYPE)) === type,
      );
      if (cut === undefined && cuts.size === 0) continue;
      const name = this.#texts.names.textOf(id);
      const isInCharge = type === "NS" && name === this.#apex;
      if (cut !== undefined && !isInCharge) cuts.set(name, this.#read(cut).values.join(" "));
      else cuts.delete(name);
    }
  }

  #write(set: RecordSet): number {
    this.#beginnings.meet(set.name);
    const { body, hole } = internCut(set, this.#texts);
    return this.#rows.add([NO_ROW, ...keyCells(set, this.#texts), set.ttlSeconds, body, hole]);
  }

  #read(row: number): RecordSet {
    const position = { rows: this.#rows, row, column: NAME };
    return recordSetAt(position, this.#texts, this.#rows.get(row, HOLE));
  }

  #forget(row: number): void {
    releaseKey({ rows: this.#rows, row, column: NAME }, this.#texts);
    this.#texts.bodies.release(this.#rows.get(row, BODY));
    this.#texts.resources.release(this.#rows.get(row, HOLE));
    this.#rows.remove(row);
  }
}

/** How a reading is taken. */
export interface Taking {
  /** These names stay as they are. */
  readonly keep: ReadonlySet<string>;
  readonly slices: Slices;
}

/** Names that a reading changed. */
export interface MovedIds {
  /** Ids of names that hold something now. */
  readonly there: number[];
  /** Names that hold nothing any more. */
  readonly gone: string[];
}

function byKey(a: RecordSet, b: RecordSet): number {
  return compareText(recordSetKeyText(a), recordSetKeyText(b));
}

/**
 * Which of some beginnings the names of a zone use. Markers have many possible forms of names, each
 * with a beginning, and a zone uses few of them: the others need not be looked up.
 */
export class UsedBeginnings {
  #unused: ReadonlySet<string>;
  /** Finds a name that begins with an unused text. Null = there is no such text. */
  #pattern: RegExp | null;

  /** `texts`: the beginnings, none of them empty. */
  constructor(texts: readonly string[]) {
    this.#unused = new Set(texts);
    this.#pattern = patternOf(this.#unused);
  }

  /** Beginnings that no name had so far; another set object once there is one fewer. */
  get unused(): ReadonlySet<string> {
    return this.#unused;
  }

  /** Notes a name of the zone; a beginning that was used once counts as used for good. */
  meet(name: string): void {
    if (this.#pattern?.test(name) !== true) return;
    this.#unused = new Set([...this.#unused].filter((text) => !name.startsWith(text)));
    this.#pattern = patternOf(this.#unused);
  }
}

function patternOf(texts: ReadonlySet<string>): RegExp | null {
  if (texts.size === 0) return null;
  const escaped = [...texts].map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^(?:${escaped.join("|")})`);
}
