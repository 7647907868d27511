/**
 * What objects want in one zone, by name. Level-based: the last contribution of an object counts.
 * Kept in columns of ids (cache/columns); contributions are made from them on request.
 * `test/support/plain-zone` does the same with plain objects.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { ObjectKey, Provenance } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { ObjectTransfer } from "../../model/transfer-request.ts";
import type { Marker } from "../../plan/changes.ts";
import { type Contribution, isWithdrawn } from "../contract/contribution.ts";
import { AttachedNames } from "./attached-names.ts";
import { Chains } from "./columns/chains.ts";
import {
  cellsOf,
  isBulk,
  itemAt,
  itemCells,
  mentionCells,
  numberIn,
  releaseItem,
  WANTED,
  WANTED_WIDTH,
} from "./columns/contribution-rows.ts";
import { ObjectRows } from "./columns/object-rows.ts";
import { NO_ROW, RowTable } from "./columns/row-table.ts";
import { NONE } from "./columns/text-pool.ts";
import { ZoneTexts } from "./columns/zone-texts.ts";
import { PausedObjects } from "./paused-objects.ts";
import { TransferRequests } from "./transfer-requests.ts";
import { WantedCuts } from "./wanted-cuts.ts";

/** Further cells of an object's row; the first two are the fingerprint of the last report. */
const GENERATION_HIGH = 2;
const GENERATION_LOW = 3;
const EXTRA = 4;

/** Contributions of one zone and the names that they list. */
export class DesiredIndex {
  /** For ZoneComparison alone; cells as WANTED says. */
  readonly rows = new RowTable(WANTED_WIDTH);
  /** For ZoneComparison alone: rows by id of name. */
  readonly byName = new Chains(this.rows, WANTED.nextAtName);
  readonly #byObject = new Chains(this.rows, WANTED.nextOfObject);
  readonly #objects: ObjectRows;
  readonly #texts: ZoneTexts;
  /** Contributions that say more than "publish this", by row of their object. */
  readonly #special = new Map<number, Contribution>();
  readonly #wantingNothing = new Map<number, Contribution>();
  /** Listed names that belong to other names, such as `_dmarc.www` to `www`. */
  readonly attached = new AttachedNames();
  /** Zone cuts and wildcards that the contributions of now want. */
  readonly cuts = new WantedCuts();
  /** What the contributions of now pause. */
  readonly paused = new PausedObjects();
  readonly #transfers = new TransferRequests();
  /** How often an object contributed that was not known; only ever grows. */
  arrivals = 0;

  /** `texts`: the zone's pools, shared by all its tables. */
  constructor(texts: ZoneTexts = new ZoneTexts()) {
    this.#texts = texts;
    this.#objects = new ObjectRows(texts, EXTRA);
  }

  /** Replaces what the object contributed; answers every name that this affects. */
  put(contribution: Contribution): ReadonlySet<DnsName> {
    if (this.#objects.find(contribution.object) === NO_ROW) this.arrivals += 1;
    const affected = new Set(this.remove(contribution.object));
    const { object, generation, deleting, found } = contribution;
    const isRows = isBulk(contribution);
    const row = this.#objects.add(object);
    const [high, low] = cellsOf(isRows ? generation : 0);
    this.#objects.setExtra(row, GENERATION_HIGH, high);
    this.#objects.setExtra(row, GENERATION_LOW, low);
    const names = namesOf(contribution);
    if (isRows)
      // A chain has the last one first. Contributions that are kept as rows request no transfers.
      for (const item of found.items.toReversed())
        this.#add(row, itemCells(item, row, this.#texts));
    else {
      this.#special.set(row, contribution);
      for (const name of names) this.#add(row, mentionCells(name, row, this.#texts));
      this.#transfers.add(row, contribution);
    }
    if (!isWithdrawn(contribution)) this.cuts.add(row, contribution);
    if (deleting || found.items.length === 0) this.#wantingNothing.set(row, contribution);
    if (found.paused !== undefined) this.paused.add(row, found.paused);
    for (const name of names) {
      this.attached.add(name);
      affected.add(name);
    }
    return affected;
  }

  /** Forgets the object; answers the names that it listed. */
  remove(object: ObjectKey): readonly DnsName[] {
    const row = this.#objects.find(object);
    if (row === NO_ROW) return [];
    const names = new Set<DnsName>();
    for (const item of this.#byObject.of(row)) {
      const name = this.rows.get(item, WANTED.name);
      names.add(trustedDnsName(this.#texts.names.textOf(name)));
      this.#byObject.remove(row, item);
      this.byName.remove(name, item);
      releaseItem(this.rows, item, this.#texts);
      this.rows.remove(item);
    }
    for (const name of names) this.attached.remove(name);
    this.cuts.remove(row);
    this.paused.remove(row);
    this.#transfers.remove(row);
    this.#special.delete(row);
    this.#wantingNothing.delete(row);
    this.#objects.remove(row);
    return [...names];
  }

  /** The object's contribution, or null. */
  get(object: ObjectKey): Contribution | null {
    const row = this.#objects.find(object);
    return row === NO_ROW ? null : this.contributionOf(row);
  }

  /** Contributions that list a name in items or waiting, or listed it and are deleting. */
  listing(name: string): readonly Contribution[] {
    return this.objectsListing(name).map((row) => this.contributionOf(row));
  }

  /** The objects of `listing`, as numbers that stay until the object is put or removed. */
  objectsListing(name: string): readonly number[] {
    const rows = this.#rowsAt(name).map((row) => this.rows.get(row, WANTED.object));
    return [...new Set(rows)].reverse();
  }

  /**
   * Transfers and releases that objects request at a name for records under these markers; in
   * no special order.
   */
  objectTransfersAt(name: string, markers: readonly Marker[]): readonly ObjectTransfer[] {
    if (!this.#transfers.isAny || markers.length === 0) return [];
    const rows = this.objectsListing(name);
    const listing = rows.map((row) => this.contributionOf(row));
    const unlisted = markers.flatMap((marker) => this.#transfers.ofUnlisted(marker, listing));
    return rows.flatMap((row) => this.#transfers.of(row)).concat(unlisted);
  }

  /** True when an object lists the name. */
  isListed(name: string): boolean {
    const id = this.#texts.names.find(name);
    return id !== NONE && this.byName.first(id) !== NO_ROW;
  }

  /** Record sets wanted at a name; objects that are deleting or moved away want none. */
  wanted(name: string): readonly DesiredRecordSet[] {
    const id = this.#texts.names.find(name);
    if (id === NONE) return [];
    const wanted: DesiredRecordSet[] = [];
    for (let row = this.byName.first(id); row !== NO_ROW; row = this.byName.next(row))
      this.#addWanted(wanted, row, name);
    // A chain has the last one first.
    return wanted.length < 2 ? wanted : wanted.reverse();
  }

  /** Objects that list a name or wait for an address there; not those deleted or moved away. */
  objectsAt(name: string): readonly Provenance[] {
    const wanted = this.wanted(name).map(({ provenance }) => provenance);
    const special = this.#rowsAt(name).flatMap(
      (row) => this.#special.get(this.rows.get(row, WANTED.object)) ?? [],
    );
    const waiting = special
      .filter((one) => !isWithdrawn(one))
      .flatMap(({ object, found }) =>
        found.waiting.filter((wait) => wait.name === name).map((wait) => wait.provenance ?? object),
      );
    return /* clause: waiting-name-is-desired */ [...wanted, ...waiting];
  }

  /**
   * Contributions of objects that are deleted, or want no record set now: records of them may be in
   * the zone all the same.
   */
  wantingNothing(): Iterable<Contribution> {
    return this.#wantingNothing.values();
  }

  /** Every name that is listed. */
  *names(): Iterable<DnsName> {
    const { names } = this.#texts;
    for (let id = 0; id < names.idsEnd; id++)
      if (this.byName.first(id) !== NO_ROW) yield trustedDnsName(names.textOf(id));
  }

  /** Every contribution, in no special order. */
  *all(): Iterable<Contribution> {
    for (const row of this.#objects.all()) yield this.contributionOf(row);
  }

  /** The contribution of an object's number. */
  contributionOf(row: number): Contribution {
    const special = this.#special.get(row);
    if (special !== undefined) return special;
    const items = this.#byObject.of(row).map((item) => itemAt(this.rows, item, this.#texts));
    return {
      object: this.#objects.keyAt(row),
      generation: numberIn(
        this.#objects.extraAt(row, GENERATION_HIGH),
        this.#objects.extraAt(row, GENERATION_LOW),
      ),
      found: { items, waiting: [], problems: [], complete: true },
      deleting: false,
    };
  }

  /**
   * Notes the fingerprint of a report on an object, 16 hexadecimal digits. True when the last one
   * since the object was put had another, or there was none; also for an object that is not here.
   */
  isNewReport(object: ObjectKey, print: string): boolean {
    const row = this.#objects.find(object);
    if (row === NO_ROW) return true;
    const halves = [print.slice(0, 8), print.slice(8)].map((half) => Number.parseInt(half, 16) | 0);
    const isNew = halves.some((half, index) => this.#objects.extraAt(row, index) !== half);
    for (const [index, half] of halves.entries()) this.#objects.setExtra(row, index, half);
    return isNew;
  }

  /** The zone is closed: after it is opened again, every report is sent again. */
  forgetReports(): void {
    for (const row of this.#objects.all())
      for (const index of [0, 1]) this.#objects.setExtra(row, index, 0);
  }

  /**
   * How the provider reads items back is not known any more: another session, or other defaults.
   */
  forgetNormalized(): void {
    for (let id = 0; id < this.#texts.names.idsEnd; id++)
      for (let row = this.byName.first(id); row !== NO_ROW; row = this.byName.next(row)) {
        this.#texts.bodies.release(this.rows.get(row, WANTED.normalizedBody));
        this.rows.set(row, WANTED.normalizedBody, NONE);
      }
  }

  /** Last first, as in a chain. */
  #addWanted(wanted: DesiredRecordSet[], row: number, name: string): void {
    if (this.rows.get(row, WANTED.type) !== NONE) {
      wanted.push(itemAt(this.rows, row, this.#texts));
      return;
    }
    const special = this.#special.get(this.rows.get(row, WANTED.object));
    if (special === undefined || isWithdrawn(special)) return;
    wanted.push(...special.found.items.filter((item) => item.name === name).reverse());
  }

  #rowsAt(name: string): readonly number[] {
    const id = this.#texts.names.find(name);
    return id === NONE ? [] : this.byName.of(id);
  }

  #add(object: number, cells: readonly number[]): void {
    const row = this.rows.add(cells);
    this.byName.add(this.rows.get(row, WANTED.name), row);
    this.#byObject.add(object, row);
  }
}

/** The names a contribution lists, each once. */
export function namesOf(contribution: Contribution): readonly DnsName[] {
  const { items, waiting } = contribution.found;
  return [...new Set([...items.map((item) => item.name), ...waiting.map((wait) => wait.name)])];
}

/** What objects want in one zone, with its texts. */
export class DesiredState {
  readonly texts = new ZoneTexts();
  readonly index = new DesiredIndex(this.texts);
}
