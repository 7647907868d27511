/** Objects of clusters as row numbers, with further cells for the tables that use them. */
import { type ObjectKey, resourceOf } from "../../../model/provenance.ts";
import { Chains } from "./chains.ts";
import { objectIn } from "./contribution-rows.ts";
import { NO_ROW, RowTable } from "./row-table.ts";
import { NONE } from "./text-pool.ts";
import type { ZoneTexts } from "./zone-texts.ts";

const NEXT = 0;
const RESOURCE = 1;
const CLUSTER = 2;
const WIDTH = 3;

/** Objects by key. Rows stay until `remove`. */
export class ObjectRows {
  readonly #texts: ZoneTexts;
  readonly #rows: RowTable;
  readonly #byResource: Chains;

  /** `extra`: how many further cells a row has; they are 0 when a row is new. */
  constructor(texts: ZoneTexts, extra: number) {
    this.#texts = texts;
    this.#rows = new RowTable(WIDTH + extra);
    this.#byResource = new Chains(this.#rows, NEXT);
  }

  /** The object's row, or NO_ROW. */
  find(object: ObjectKey): number {
    const resource = this.#texts.resources.find(resourceOf(object));
    const cluster = this.#texts.symbols.find(object.cluster);
    if (resource === NONE || cluster === NONE) return NO_ROW;
    let row = this.#byResource.first(resource);
    while (row !== NO_ROW && this.#rows.get(row, CLUSTER) !== cluster)
      row = this.#byResource.next(row);
    return row;
  }

  /** The rows of all objects with this `kind/namespace/name`, in whichever cluster. */
  withResource(resource: string): readonly number[] {
    const id = this.#texts.resources.find(resource);
    return id === NONE ? [] : this.#byResource.of(id);
  }

  /** A row for an object that has none. */
  add(object: ObjectKey): number {
    const resource = this.#texts.resources.intern(resourceOf(object));
    const cluster = this.#texts.symbols.intern(object.cluster);
    const row = this.#rows.add([NO_ROW, resource, cluster]);
    this.#byResource.add(resource, row);
    return row;
  }

  /** Gives the row back. */
  remove(row: number): void {
    const resource = this.#rows.get(row, RESOURCE);
    this.#byResource.remove(resource, row);
    this.#texts.resources.release(resource);
    this.#texts.symbols.release(this.#rows.get(row, CLUSTER));
    this.#rows.remove(row);
  }

  /** The object of a row. */
  keyAt(row: number): ObjectKey {
    const { resources, symbols } = this.#texts;
    const cluster = symbols.textOf(this.#rows.get(row, CLUSTER));
    return objectIn(resources.textOf(this.#rows.get(row, RESOURCE)), cluster);
  }

  /** A further cell, from 0. */
  extraAt(row: number, index: number): number {
    return this.#rows.get(row, WIDTH + index);
  }

  /** Writes a further cell. */
  setExtra(row: number, index: number, value: number): void {
    this.#rows.set(row, WIDTH + index, value);
  }

  /** Every row, in no special order. */
  *all(): Iterable<number> {
    for (let resource = 0; resource < this.#byResource.keysEnd; resource++)
      yield* this.#byResource.of(resource);
  }
}
