/**
 * Which objects list which names, live or last known, over all zones. Texts are interned and rows
 * are columns of their ids (cache/columns), because there is an entry for each object of every
 * cluster. Remembers; decides nothing.
 */
import {
  isMarkOf,
  type ObjectKey,
  type ObjectMark,
  type Provenance,
  resourceOf,
} from "../../model/provenance.ts";
import { Chains } from "../cache/columns/chains.ts";
import { objectIn } from "../cache/columns/contribution-rows.ts";
import { ObjectRows } from "../cache/columns/object-rows.ts";
import { NO_ROW, RowTable } from "../cache/columns/row-table.ts";
import { NONE } from "../cache/columns/text-pool.ts";
import { ZoneTexts } from "../cache/columns/zone-texts.ts";

/** The last contribution of an object, as far as absence depends on it. */
export interface AbsenceEntry {
  readonly object: ObjectKey;
  /** The object that markers of this one's records name. */
  readonly provenance: Provenance;
  readonly isComplete: boolean;
  /** Its `metadata.generation`, modulo 2^32. */
  readonly generation: number;
  /** Fingerprint of the whole contribution, 16 hexadecimal digits. */
  readonly print: string;
  /** The object asks for something else than its first complete contribution of this process. */
  readonly hasChanged: boolean;
}

/** An entry with the names it lists, each with the reason it waits for; null when it is wanted. */
export interface NewEntry extends AbsenceEntry {
  readonly names: ReadonlyMap<string, string | null>;
}

/** An entry that lists a name. */
export interface Lister {
  readonly entry: AbsenceEntry;
  /** Why the name waits; null when it is wanted. */
  readonly waitsFor: string | null;
}

/** Cells of an object's row, besides its key. */
const RESOURCE = 0;
const CLUSTER = 1;
/** 1 = complete, 2 = changed. */
const FLAGS = 2;
const PRINT_HIGH = 3;
const PRINT_LOW = 4;
const GENERATION = 5;
const EXTRA = 6;

/** Cells of a listed name. */
const NEXT_AT_NAME = 0;
const NEXT_OF_OBJECT = 1;
const OBJECT = 2;
const NAME = 3;
const REASON = 4;
const WIDTH = 5;

/** Entries by object and by name. */
export class AbsenceEntries {
  readonly #texts = new ZoneTexts();
  readonly #objects = new ObjectRows(this.#texts, EXTRA);
  readonly #rows = new RowTable(WIDTH);
  readonly #byName = new Chains(this.#rows, NEXT_AT_NAME);
  readonly #byObject = new Chains(this.#rows, NEXT_OF_OBJECT);

  /** The last entry of the object, or null. */
  of(object: ObjectKey): AbsenceEntry | null {
    const row = this.#objects.find(object);
    return row === NO_ROW ? null : this.#entryAt(row);
  }

  /** The names of an entry that `of` answered. */
  namesOf({ object }: AbsenceEntry): readonly string[] {
    const rows = this.#byObject.of(this.#objects.find(object));
    return rows.map((row) => this.#texts.names.textOf(this.#rows.get(row, NAME)));
  }

  /** All entries that list a name, oldest first. */
  listing(name: string): readonly Lister[] {
    const id = this.#texts.names.find(name);
    const rows = id === NONE ? [] : [...this.#byName.of(id)].reverse();
    return rows.map((row) => {
      const reason = this.#rows.get(row, REASON);
      return {
        entry: this.#entryAt(this.#rows.get(row, OBJECT)),
        waitsFor: reason === NONE ? null : this.#texts.symbols.textOf(reason),
      };
    });
  }

  /** Entries of the object with this `resource`, not of objects made from it; null = of none. */
  named(resource: string | null): readonly AbsenceEntry[] {
    const rows = resource === null ? [] : this.#objects.withResource(resource);
    return rows.map((row) => this.#entryAt(row));
  }

  /** The entry of the object in a marker; null = it contributes nothing, or not yet. */
  marked(mark: ObjectMark): AbsenceEntry | null {
    return this.named(mark.resource).find(({ object }) => isMarkOf(mark, object)) ?? null;
  }

  /** An object of this cluster is known, or one that was made from such an object. */
  hasCluster(cluster: string): boolean {
    return this.#texts.symbols.find(cluster) !== NONE;
  }

  /** Replaces the entry of the object. */
  put(entry: NewEntry): void {
    const { object, provenance, isComplete, hasChanged, generation, print, names } = entry;
    this.remove(object);
    const { resources, symbols } = this.#texts;
    const row = this.#objects.add(object);
    this.#objects.setExtra(row, RESOURCE, resources.intern(resourceOf(provenance)));
    this.#objects.setExtra(row, CLUSTER, symbols.intern(provenance.cluster));
    this.#objects.setExtra(row, FLAGS, Number(isComplete) + 2 * Number(hasChanged));
    this.#objects.setExtra(row, GENERATION, generation | 0);
    this.#objects.setExtra(row, PRINT_HIGH, Number.parseInt(print.slice(0, 8), 16) | 0);
    this.#objects.setExtra(row, PRINT_LOW, Number.parseInt(print.slice(8), 16) | 0);
    for (const [name, reason] of [...names].reverse()) this.#list(row, name, reason);
  }

  /** Forgets the object. */
  remove(object: ObjectKey): void {
    const row = this.#objects.find(object);
    if (row === NO_ROW) return;
    for (const listed of this.#byObject.of(row)) {
      const name = this.#rows.get(listed, NAME);
      this.#byObject.remove(row, listed);
      this.#byName.remove(name, listed);
      this.#texts.names.release(name);
      this.#texts.symbols.release(this.#rows.get(listed, REASON));
      this.#rows.remove(listed);
    }
    this.#texts.resources.release(this.#objects.extraAt(row, RESOURCE));
    this.#texts.symbols.release(this.#objects.extraAt(row, CLUSTER));
    this.#objects.remove(row);
  }

  #list(object: number, name: string, reason: string | null): void {
    const { names, symbols } = this.#texts;
    const id = names.intern(name);
    const reasonId = reason === null ? NONE : symbols.intern(reason);
    const row = this.#rows.add([NO_ROW, NO_ROW, object, id, reasonId]);
    this.#byName.add(id, row);
    this.#byObject.add(object, row);
  }

  #entryAt(row: number): AbsenceEntry {
    const resource = this.#texts.resources.textOf(this.#objects.extraAt(row, RESOURCE));
    const cluster = this.#texts.symbols.textOf(this.#objects.extraAt(row, CLUSTER));
    const halves = [PRINT_HIGH, PRINT_LOW].map((column) => this.#objects.extraAt(row, column));
    return {
      object: this.#objects.keyAt(row),
      provenance: objectIn(resource, cluster),
      isComplete: (this.#objects.extraAt(row, FLAGS) & 1) !== 0,
      hasChanged: (this.#objects.extraAt(row, FLAGS) & 2) !== 0,
      generation: this.#objects.extraAt(row, GENERATION) >>> 0,
      print: halves.map((half) => (half >>> 0).toString(16).padStart(8, "0")).join(""),
    };
  }
}

/** Clusters that have an object that lists the name, itself or through one made from it. */
export function clustersOf(listers: readonly Lister[]): ReadonlySet<string> {
  return new Set(listers.flatMap(({ entry }) => [entry.object.cluster, entry.provenance.cluster]));
}
