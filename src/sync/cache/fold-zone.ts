/**
 * Folds a whole zone: makes the owned view (record sets with the owners that their markers state)
 * of its raw records, slice by slice. One pass first asks the registry which names the records at
 * each raw name may mark. Never holds all record sets of the zone as objects at once.
 */
import { type Clock, Slices } from "@zonekeeper/base/ports/clock";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../model/record-set.ts";
import type { Ownership } from "../../ownership/ownership.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import { Chains } from "./columns/chains.ts";
import { NO_ROW, RowTable } from "./columns/row-table.ts";
import type { ZoneTexts } from "./columns/zone-texts.ts";
import type { OwnedIndex } from "./owned-index.ts";
import type { ZoneTable } from "./zone-table.ts";

/** Names that are folded together without a pause. */
const SLICE_NAMES = 500;

/** Cells of a link: a raw name whose record may be the marker of another name. */
const NEXT = 0;
const TARGET = 1;
const RAW = 2;
const WIDTH = 3;

/** What a fold works on. */
export interface FoldContext {
  readonly table: ZoneTable;
  readonly owned: OwnedIndex;
  readonly ownership: Ownership;
  readonly texts: ZoneTexts;
  /** Long work is cut into slices by it. */
  readonly clock: Clock;
}

/** The links of one fold. */
interface Links {
  readonly rows: RowTable;
  readonly byTarget: Chains;
}

/** Rebuilds the owned view from the raw table. One at a time. */
export class ZoneFold {
  readonly #context: FoldContext;

  constructor(context: FoldContext) {
    this.#context = context;
  }

  /**
   * Folds every name; answers those whose view changed, to be walked before anything else changes
   * the zone.
   */
  async all(): Promise<ManyNames> {
    const { texts, clock } = this.#context;
    const slices = new Slices(clock);
    const rows = new RowTable(WIDTH);
    try {
      return await this.#foldAll(await this.#link(rows, slices), slices);
    } finally {
      for (let row = 0; row < rows.live; row++) texts.names.release(rows.get(row, TARGET));
    }
  }

  async #foldAll(links: Links, slices: Slices): Promise<ManyNames> {
    const { texts } = this.#context;
    const changed: number[] = [];
    const gone: DnsName[] = [];
    const done = new Uint8Array(texts.names.idsEnd);
    for (let id = 0; id < done.length; ) {
      const slice: number[] = [];
      for (; id < done.length && slice.length < SLICE_NAMES; id++)
        if (done[id] === 0 && this.#hasView(id, links)) this.#addTo(slice, id, { links, done });
      await this.#foldSlice(slice, links, { changed, gone });
      if (slices.isOver) await slices.next();
    }
    return new ManyNames(texts, changed, gone);
  }

  #hasView(id: number, { byTarget }: Links): boolean {
    const { owned, table } = this.#context;
    return table.holds(id) || owned.byName.first(id) !== NO_ROW || byTarget.first(id) !== NO_ROW;
  }

  /** Adds a name with the raw names of its markers, so that each marker is read once. */
  #addTo(
    slice: number[],
    id: number,
    walk: { readonly links: Links; readonly done: Uint8Array },
  ): void {
    const { rows, byTarget } = walk.links;
    for (const one of [id, ...byTarget.of(id).map((link) => rows.get(link, RAW))]) {
      if (walk.done[one] === 1) continue;
      walk.done[one] = 1;
      slice.push(one);
    }
  }

  /**
   * Raw names of markers, by the other names that they mark. Each target's id is counted.
   */
  async #link(rows: RowTable, slices: Slices): Promise<Links> {
    const { table, texts, ownership } = this.#context;
    const byTarget = new Chains(rows, NEXT);
    const end = texts.names.idsEnd;
    for (let id = 0; id < end; id++) {
      if (slices.isOver) await slices.next();
      if (!table.holds(id)) continue;
      const raw = texts.names.textOf(id);
      for (const name of ownership.affected(raw)) {
        if (name === raw) continue;
        const target = texts.names.intern(name);
        byTarget.add(target, rows.add([NO_ROW, target, id]));
      }
    }
    return { rows, byTarget };
  }

  async #foldSlice(
    ids: readonly number[],
    links: Links,
    answer: { readonly changed: number[]; readonly gone: DnsName[] },
  ): Promise<void> {
    const { owned, texts, ownership } = this.#context;
    const folded = new Map<string, OwnedRecordSet[]>();
    for (const id of ids) folded.set(texts.names.textOf(id), []);
    const sets = this.#setsFor([...folded.keys()], ids, links);
    for (const set of await ownership.read(sets)) folded.get(set.name)?.push(set);
    for (const [name, view] of folded) {
      if (!owned.put(name, view)) continue;
      if (view.length === 0) answer.gone.push(trustedDnsName(name));
      else answer.changed.push(texts.names.find(name));
    }
  }

  /**
   * Every record set that the view of these names depends on: their own, their markers, and the
   * other record sets that these markers are for.
   */
  #setsFor(
    names: readonly string[],
    ids: readonly number[],
    { rows, byTarget }: Links,
  ): readonly RecordSet[] {
    const { table, ownership, texts } = this.#context;
    const markers = ids.flatMap((id) => {
      const own = byTarget.of(id).map((link) => texts.names.textOf(rows.get(link, RAW)));
      return own.length < 2 ? own : this.#inReadOrder(texts.names.textOf(id), own);
    });
    const others = markers.flatMap((marker) => ownership.affected(marker));
    return [...new Set([...markers, ...names, ...others])].flatMap((name) => table.at(name));
  }

  /** Markers in the order in which a single name is read: of equal ones the first one counts. */
  #inReadOrder(name: string, markers: readonly string[]): readonly string[] {
    const { ownership, table } = this.#context;
    const related = ownership.related(name, table.unusedBeginnings);
    const first = related.filter((one) => markers.includes(one));
    return [...first, ...markers];
  }
}

/** Many names that are held as ids: walk them once, before the zone changes again. */
export class ManyNames implements Iterable<DnsName> {
  readonly #texts: ZoneTexts;
  readonly #ids: readonly number[];
  readonly #others: readonly DnsName[];

  constructor(texts: ZoneTexts, ids: readonly number[], others: readonly DnsName[]) {
    this.#texts = texts;
    this.#ids = ids;
    this.#others = others;
  }

  get size(): number {
    return this.#ids.length + this.#others.length;
  }

  *[Symbol.iterator](): Iterator<DnsName> {
    for (const id of this.#ids) yield trustedDnsName(this.#texts.names.textOf(id));
    yield* this.#others;
  }
}
