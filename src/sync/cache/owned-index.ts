/**
 * The owned view of one zone: its record sets, each with its marker (the record that states owner
 * and object), name by name. Kept in columns of ids (cache/columns); record sets are made from them
 * on request. `test/support/plain-zone` does the same with plain objects.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { namespaceIn } from "../../model/provenance.ts";
import { compareKeys } from "../../model/record-set.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import type { ZoneCounts } from "../guards/guard.ts";
import { AttachedNames } from "./attached-names.ts";
import { Chains } from "./columns/chains.ts";
import {
  FLAG,
  OWNED,
  OWNED_WIDTH,
  ownedAt,
  ownedCells,
  releaseOwned,
} from "./columns/owned-rows.ts";
import { NO_ROW, RowTable } from "./columns/row-table.ts";
import { NONE } from "./columns/text-pool.ts";
import { ZoneTexts } from "./columns/zone-texts.ts";

/** Record sets by name, and names by the object (resource) in their markers. */
export class OwnedIndex implements ZoneCounts {
  /** For ZoneComparison alone; cells as OWNED says. */
  readonly rows = new RowTable(OWNED_WIDTH);
  /** For ZoneComparison alone: rows by id of name. */
  readonly byName = new Chains(this.rows, OWNED.nextAtName);
  readonly #byResource = new Chains(this.rows, OWNED.nextOfResource);
  /** Names that belong to other names, such as `_dmarc.www` to `www`. */
  readonly attached = new AttachedNames();
  readonly #owners: ReadonlySet<string>;
  readonly #texts: ZoneTexts;
  #ownedSets = 0;
  #ownedNames = 0;
  #allNames = 0;
  #markedNames = 0;
  #unsigned = 0;
  /** Record sets of ours by the cluster and the kind in their markers. */
  readonly #kinds = new Map<string, number>();

  /** `owners`: the ids that are ours. `texts`: the zone's pools, shared by all its tables. */
  constructor(owners: ReadonlySet<string>, texts: ZoneTexts = new ZoneTexts()) {
    this.#owners = owners;
    this.#texts = texts;
  }

  /** Record sets of a name, sorted by key, those of one key as they were put; empty = none. */
  at(name: string): readonly OwnedRecordSet[] {
    // A chain has the last one first.
    const sets = this.#rowsAt(name).map((row) => ownedAt(this.rows, row, this.#texts));
    return sets.length < 2 ? sets : sets.reverse().sort(compareKeys);
  }

  /** True when the name holds something. */
  has(name: string): boolean {
    const id = this.#texts.names.find(name);
    return id !== NONE && this.byName.first(id) !== NO_ROW;
  }

  /** All data names, in no special order. */
  *names(): Iterable<string> {
    const { names } = this.#texts;
    for (let id = 0; id < names.idsEnd; id++)
      if (this.byName.first(id) !== NO_ROW) yield names.textOf(id);
  }

  /** Names with at least one record set of ours. */
  get ownedNames(): number {
    return this.#ownedNames;
  }

  /** Markers that claim to be ours without the signature that is required. */
  get unsigned(): number {
    return this.#unsigned;
  }

  /**
   * At most `most` names of such markers in the zone. Looks at every name until it has as many.
   */
  readonly unsignedNames = (most: number): readonly string[] => {
    const found: string[] = [];
    const left = Math.min(most, this.#unsigned);
    const { names } = this.#texts;
    for (let id = 0; id < names.idsEnd && found.length < left; id++)
      for (const row of this.byName.of(id))
        if ((this.rows.get(row, OWNED.flags) & FLAG.unsigned) !== 0)
          found.push(ownedAt(this.rows, row, this.#texts).marker?.record?.name ?? "");
    return found.slice(0, left);
  };

  /** Names that hold something. */
  get allNames(): number {
    return this.#allNames;
  }

  /** Names with at least one marker of ours, with or without data. */
  get markedNames(): number {
    return this.#markedNames;
  }

  /** How many record sets of ours, with data, exist at a name. */
  readonly ownedAt = (name: string): number => this.#countOwned(this.#rowsAt(name));

  /** Record sets of ours, with data, of the objects of a namespace. Looks at every resource. */
  readonly ownedIn = (namespace: string): number => {
    const { resources } = this.#texts;
    let owned = 0;
    for (let id = 0; id < resources.idsEnd; id++)
      if (this.#byResource.first(id) !== NO_ROW && namespaceIn(resources.textOf(id)) === namespace)
        owned += this.#countOwned(this.#byResource.of(id));
    return owned;
  };

  /** True when a marker names this owner id, ours or not. Looks at every name until one does. */
  readonly hasRecordsOf = (owner: string): boolean => {
    const { names, symbols } = this.#texts;
    const sought = symbols.find(owner);
    if (sought === NONE) return false;
    const isOf = (row: number): boolean => this.rows.get(row, OWNED.owner) === sought;
    for (let id = 0; id < names.idsEnd; id++) if (this.byName.of(id).some(isOf)) return true;
    return false;
  };

  /** True when a record set of the name has a marker of ours, with or without data. */
  hasOwnMarker(name: string): boolean {
    return this.#rowsAt(name).some((row) => this.#isOwnedRow(row));
  }

  /** True when a record set of the name has a marker of ours, even beside those of other owners. */
  hasClaim(name: string): boolean {
    return this.#rowsAt(name).some((row) => (this.rows.get(row, OWNED.flags) & FLAG.claimed) !== 0);
  }

  /** Record sets with data under a marker of ours. */
  get owned(): number {
    return this.#ownedSets;
  }

  /** Names that markers of ours with this resource label. */
  namesOfResource(resource: string): readonly string[] {
    const id = this.#texts.resources.find(resource);
    if (id === NONE) return [];
    const own = this.#byResource.of(id).filter((row) => this.#isOwnedRow(row));
    const names = new Set(own.map((row) => this.rows.get(row, OWNED.name)));
    return [...names].map((name) => this.#texts.names.textOf(name));
  }

  /** A marker of ours names an object of this kind (`service`) in this cluster. */
  hasKind(cluster: string, kind: string): boolean {
    return (this.#kinds.get(`${cluster} ${kind}`) ?? 0) > 0;
  }

  /** True when the record set has our marker and no other owner's, with or without data. */
  isOwnedByUs(set: OwnedRecordSet): boolean {
    return !set.contested && this.isClaimed(set);
  }

  /** True when the record set has a marker of ours, even beside those of other owners. */
  isClaimed({ marker }: OwnedRecordSet): boolean {
    return (
      marker !== null && /* clause: owned-index-has-our-owner-ids */ this.#owners.has(marker.owner)
    );
  }

  /** True when the record set has a permit that we gave, whoever owns it now. */
  isPermit({ permit }: OwnedRecordSet): boolean {
    return permit !== undefined && this.#owners.has(permit.owner);
  }

  /** True when the name has a permit of ours. */
  hasPermit(name: string): boolean {
    const hasOne = (row: number) => (this.rows.get(row, OWNED.flags) & FLAG.permit) !== 0;
    return this.#rowsAt(name)
      .filter(hasOne)
      .some((row) => this.isPermit(ownedAt(this.rows, row, this.#texts)));
  }

  /**
   * True for a name with a record set of ours whose marker names an object, and no cluster for
   * which `isEnough` holds.
   */
  isWithout(name: string, isEnough: (cluster: string | null) => boolean): boolean {
    return this.#rowsAt(name).some((row) => {
      const hasObject = this.rows.get(row, OWNED.resource) !== NONE;
      const id = this.rows.get(row, OWNED.cluster);
      const cluster = id === NONE ? null : this.#texts.symbols.textOf(id);
      return this.#isOwnedRow(row) && hasObject && !isEnough(cluster);
    });
  }

  /** Replaces what is known of a name. True if that differs. */
  put(name: string, sets: readonly OwnedRecordSet[]): boolean {
    const before = this.#rowsAt(name);
    const after = sets.map((set) => {
      const claimed = this.isClaimed(set) ? FLAG.claimed : 0;
      const own = this.isOwnedByUs(set) ? FLAG.ownedByUs : 0;
      return this.rows.add(ownedCells(set, own | claimed, this.#texts));
    });
    if (this.#areEqual(before, after)) {
      for (const row of after) this.#forget(row);
      return false;
    }
    this.#count(before, -1);
    for (const row of before) {
      this.byName.remove(this.rows.get(row, OWNED.name), row);
      const resource = this.rows.get(row, OWNED.resource);
      if (resource !== NONE) this.#byResource.remove(resource, row);
      this.#forget(row);
    }
    for (const row of after) {
      this.byName.add(this.rows.get(row, OWNED.name), row);
      const resource = this.rows.get(row, OWNED.resource);
      if (resource !== NONE) this.#byResource.add(resource, row);
    }
    this.#count(after, 1);
    if (before.length === 0) this.attached.add(trustedDnsName(name));
    if (after.length === 0) this.attached.remove(trustedDnsName(name));
    return true;
  }

  #rowsAt(name: string): readonly number[] {
    const id = this.#texts.names.find(name);
    return id === NONE ? [] : this.byName.of(id);
  }

  #count(rows: readonly number[], sign: 1 | -1): void {
    const owned = this.#countOwned(rows);
    this.#ownedSets += sign * owned;
    if (owned > 0) this.#ownedNames += sign;
    if (rows.length > 0) this.#allNames += sign;
    if (rows.some((row) => this.#isOwnedRow(row))) this.#markedNames += sign;
    for (const row of rows) {
      if ((this.rows.get(row, OWNED.flags) & FLAG.unsigned) !== 0) this.#unsigned += sign;
      this.#countKind(row, sign);
    }
  }

  #countKind(row: number, sign: 1 | -1): void {
    const [resource, cluster] = [OWNED.resource, OWNED.cluster].map((id) => this.rows.get(row, id));
    if (resource === undefined || cluster === undefined || !this.#isOwnedRow(row)) return;
    if (resource === NONE || cluster === NONE) return;
    const text = this.#texts.resources.textOf(resource);
    const key = `${this.#texts.symbols.textOf(cluster)} ${text.slice(0, text.indexOf("/"))}`;
    this.#kinds.set(key, (this.#kinds.get(key) ?? 0) + sign);
  }

  #isOwnedRow(row: number): boolean {
    return (this.rows.get(row, OWNED.flags) & FLAG.ownedByUs) !== 0;
  }

  #countOwned(rows: readonly number[]): number {
    const both = FLAG.ownedByUs | FLAG.data;
    return rows.filter((row) => (this.rows.get(row, OWNED.flags) & both) === both).length;
  }

  /**
   * Equal ids are equal texts; `put` is handed sorted lists, so that rows are compared in order.
   */
  #areEqual(before: readonly number[], after: readonly number[]): boolean {
    if (before.length !== after.length) return false;
    // A chain has the last one first.
    return after.every((row, index) =>
      this.#isEqual(row, before[before.length - 1 - index] ?? row),
    );
  }

  #isEqual(a: number, b: number): boolean {
    for (let column: number = OWNED.flags; column < OWNED_WIDTH; column++)
      if (this.rows.get(a, column) !== this.rows.get(b, column)) return false;
    return true;
  }

  #forget(row: number): void {
    releaseOwned(this.rows, row, this.#texts);
    this.rows.remove(row);
  }
}
