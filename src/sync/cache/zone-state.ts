/**
 * What is known of one zone: raw record sets (table), and the view that is folded from them
 * (owned): record sets with the owners that their markers state. Both are kept consistent name by
 * name. Changes only by what a provider returned: loads, re-reads, deltas, confirmed outcomes.
 */
import { groupedBy } from "@zonekeeper/base/grouped-by";
import { type Clock, Slices } from "@zonekeeper/base/ports/clock";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { hasSameData, isSameKey, type RecordSet } from "../../model/record-set.ts";
import {
  namesBehind,
  type Ownership,
  setsAround,
  type ZoneContent,
} from "../../ownership/ownership.ts";
import type { ChangeGroup, OwnedRecordSet } from "../../plan/changes.ts";
import type { MovedRecord } from "../../providers/provider.ts";
import { ZoneTexts } from "./columns/zone-texts.ts";
import { ZoneFold } from "./fold-zone.ts";
import { OwnedIndex } from "./owned-index.ts";
import { movedByName, setsAfter } from "./sets-after.ts";
import { ZoneTable } from "./zone-table.ts";

/** With more changed names than this, all views are rebuilt in one pass. */
const REBUILD_ABOVE = 2_000;

/** Names whose views are made together. */
const SOME_NAMES = 100;

/** Names, each at most once. A set, or a list of many that is made while it is walked. */
export interface SomeNames extends Iterable<DnsName> {
  readonly size: number;
}

/** What a zone's state is made of. */
export interface StateOptions {
  readonly apex: DnsName;
  readonly ownership: Ownership;
  /** Ids that are ours. */
  readonly owners: ReadonlySet<string>;
  /** Default: pools of its own, for which nothing can be compared by id with what is wanted. */
  readonly texts?: ZoneTexts;
  /** Long work is cut into slices by it. */
  readonly clock: Clock;
  /** Names above which views are rebuilt in one pass over everything; default 2 000. */
  readonly rebuildAbove?: number;
}

/**
 * Table and ownership of a zone. While a load is awaited, some of its names are known already and
 * others not.
 */
export class ZoneState {
  readonly table: ZoneTable;
  readonly owned: OwnedIndex;
  readonly #ownership: Ownership;
  readonly #clock: Clock;
  readonly #zoneFold: ZoneFold;
  readonly #texts: ZoneTexts;
  readonly #rebuildAbove: number;
  #readAtMs: number;
  #token: string | null = null;

  constructor(options: StateOptions) {
    const { apex, ownership, owners, texts = new ZoneTexts(), clock } = options;
    this.#clock = clock;
    this.#readAtMs = clock.nowMs();
    this.#rebuildAbove = options.rebuildAbove ?? REBUILD_ABOVE;
    this.table = new ZoneTable(apex, texts, ownership.zoneMarkers?.beginnings);
    this.owned = new OwnedIndex(owners, texts);
    this.#ownership = ownership;
    this.#texts = texts;
    const { table, owned } = this;
    this.#zoneFold = new ZoneFold({ table, owned, ownership, texts, clock });
  }

  /** Unix milliseconds of the last answer that it rests on. */
  get readAtMs(): number {
    return this.#readAtMs;
  }

  /** The change token of that answer; null = the provider has none. */
  get token(): string | null {
    return this.#token;
  }

  /** The zone answered, and the state is as of now. */
  wasRead(token: string | null): void {
    this.#readAtMs = this.#clock.nowMs();
    this.#token = token;
  }

  /**
   * Takes a complete reading; names in `keep` were written since it began and stay (Z-6).
   * `alsoChanged`: names whose owners changed outside of the zone. Answers the names whose view
   * changed.
   */
  async load(
    sets: Iterable<RecordSet>,
    keep: ReadonlySet<string>,
    alsoChanged: readonly string[] = [],
  ): Promise<SomeNames> {
    const slices = new Slices(this.#clock);
    const { there, gone } = await this.table.replaceAll(sets, { keep, slices });
    if (there.length + gone.length + alsoChanged.length > this.#rebuildAbove)
      return this.#zoneFold.all();
    const present = there.map((id) => this.#texts.names.textOf(id));
    return this.#refresh([...present, ...gone, ...alsoChanged]);
  }

  /** Learns from a complete reading, before it is taken, which names may have markers. */
  survey(sets: readonly RecordSet[]): void {
    this.#ownership.zoneMarkers?.learn(sets);
  }

  /** Takes a reading of single names. Answers the names whose view changed. */
  async reread(names: readonly DnsName[], sets: readonly RecordSet[]): Promise<SomeNames> {
    this.#ownership.zoneMarkers?.learn(sets);
    const read = groupedBy(sets, ({ name }) => name);
    const moved = names.filter((name) => this.table.replaceName(name, read.get(name) ?? []));
    return this.#refresh(moved);
  }

  /**
   * Takes a delta with records. At names of `own`, which we wrote since the earlier change token,
   * it is only compared with what is known; names that differ (`differing`) have to be read.
   */
  async follow(records: readonly MovedRecord[], own: ReadonlySet<string>): Promise<Followed> {
    const moved: DnsName[] = [];
    const differing: DnsName[] = [];
    const slices = new Slices(this.#clock);
    for (const [name, some] of movedByName(records)) {
      if (slices.isOver) await slices.next();
      const known = this.table.at(name);
      const after = setsAfter(known, some);
      if (!own.has(name)) {
        this.#ownership.zoneMarkers?.learn(after);
        if (this.table.replaceName(name, after)) moved.push(name);
      } else if (!areSame(known, after)) differing.push(name);
    }
    return { seen: await this.#refresh(moved), differing };
  }

  /**
   * Takes confirmed groups. Answers the names whose view changed; the name of each group counts as
   * one.
   */
  async applied(groups: readonly Pick<ChangeGroup, "changes" | "name">[]): Promise<SomeNames> {
    const moved = new Set<string>();
    for (const { changes, name } of groups) {
      // Where ownership is kept outside of the zone, its view may change without any write.
      moved.add(name);
      for (const change of changes) {
        this.table.apply(change);
        moved.add(change.op === "remove" ? change.previous.name : change.next.name);
      }
    }
    const affected = await this.#affectedBy(moved);
    await this.#fold(affected);
    return affected;
  }

  /** Forgets everything, so that its texts are free again. Nobody uses it any more. */
  async forget(): Promise<void> {
    const slices = new Slices(this.#clock);
    await this.table.replaceAll([], { keep: new Set(), slices });
    for (const name of this.owned.names()) {
      if (slices.isOver) await slices.next();
      this.owned.put(name, []);
    }
  }

  /**
   * Every raw name that must be read so that the view of `name` is right: its own and its markers'
   * names.
   */
  namesToRead(name: DnsName): readonly DnsName[] {
    return this.#ownership.related(name).map(trustedDnsName);
  }

  /**
   * Raw names that must be read besides those that were `read`, because of the record sets found
   * there.
   */
  namesBehind(sets: readonly RecordSet[], read: readonly string[]): readonly DnsName[] {
    return namesBehind(sets, read, this.#ownership).map(trustedDnsName);
  }

  async #refresh(moved: readonly string[]): Promise<SomeNames> {
    const affected = await this.#affectedBy(moved);
    if (affected.size > this.#rebuildAbove) return this.#zoneFold.all();
    await this.#fold(affected);
    return affected;
  }

  async #affectedBy(moved: Iterable<string>): Promise<ReadonlySet<DnsName>> {
    const slices = new Slices(this.#clock);
    const affected = new Set<DnsName>();
    for (const name of moved) {
      if (slices.isOver) await slices.next();
      for (const other of this.#ownership.affected(name)) affected.add(trustedDnsName(other));
      for (const other of this.#ownership.zoneMarkers?.dependentNames(name) ?? [])
        affected.add(trustedDnsName(other));
    }
    return affected;
  }

  async #fold(affected: ReadonlySet<DnsName>): Promise<void> {
    const slices = new Slices(this.#clock);
    const names = [...affected];
    for (let from = 0; from < names.length; from += SOME_NAMES) {
      if (slices.isOver) await slices.next();
      await this.#foldSome(names.slice(from, from + SOME_NAMES));
    }
  }

  /**
   * Folds names together, but names with several TXT record sets around them one by one: of equal
   * markers the first one counts, in an order that depends on the name.
   */
  async #foldSome(names: readonly DnsName[]): Promise<void> {
    const content = keptContent(this.table);
    const together = new Map<string, OwnedRecordSet[]>();
    const sets = new Set<RecordSet>();
    for (const name of names) {
      const around = setsAround(name, this.#ownership, content);
      if (around.filter(({ type }) => type === "TXT").length > 1) {
        const folded = await this.#ownership.read(around);
        this.owned.put(
          name,
          folded.filter((set) => set.name === name),
        );
      } else {
        together.set(name, []);
        for (const set of around) sets.add(set);
      }
    }
    for (const set of await this.#ownership.read([...sets])) together.get(set.name)?.push(set);
    for (const [name, view] of together) this.owned.put(name, view);
  }
}

/** The record sets of each name are made once. */
function keptContent(content: ZoneContent): ZoneContent {
  const kept = new Map<string, readonly RecordSet[]>();
  return {
    unusedBeginnings: content.unusedBeginnings,
    at: (name) => {
      const sets = kept.get(name) ?? content.at(name);
      if (sets.length > 0) kept.set(name, sets);
      return sets;
    },
  };
}

/** What a delta has shown. */
export interface Followed {
  /** Names whose view changed. */
  readonly seen: SomeNames;
  readonly differing: readonly DnsName[];
}

function areSame(known: readonly RecordSet[], after: readonly RecordSet[]): boolean {
  return (
    known.length === after.length &&
    known.every((set) => {
      const other = after.find((one) => isSameKey(one, set));
      return other !== undefined && set.ttlSeconds === other.ttlSeconds && hasSameData(set, other);
    })
  );
}
