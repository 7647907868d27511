/**
 * What is known of one zone: raw record sets and the owned view folded from them, kept consistent name by name.
 * Changes only by what a provider returned: loads, re-reads, confirmed outcomes.
 */
import { type DnsName, trustedDnsName } from "../model/dns-name.ts";
import type { RecordSet } from "../model/record-set.ts";
import type { Ownership } from "../ownership/ownership.ts";
import type { Change, OwnedRecordSet } from "../plan/changes.ts";
import { type Clock, Slices } from "../ports/clock.ts";
import { OwnedIndex } from "./owned-index.ts";
import { ZoneTable } from "./zone-table.ts";

/** Names whose views are rebuilt in passes over many instead of one by one. */
const REBUILD_ABOVE = 2_000;
/** Names whose views are folded from one reading of the table, between two looks at the time. */
const FOLD_TOGETHER = 200;

/** What a state is made with. */
export interface ZoneStateOptions {
  readonly ownership: Ownership;
  /** Owner ids that are ours. */
  readonly owners: ReadonlySet<string>;
  /** Long work is cut into slices by it. */
  readonly clock: Clock;
}

/** Table and ownership of a zone. While a load is awaited, some of its names are known already and others not. */
export class ZoneState {
  readonly table: ZoneTable;
  readonly owned: OwnedIndex;
  readonly #ownership: Ownership;
  readonly #clock: Clock;

  constructor(apex: DnsName, options: ZoneStateOptions) {
    const { ownership, owners, clock } = options;
    this.#clock = clock;
    this.table = new ZoneTable(apex);
    this.owned = new OwnedIndex(owners);
    this.#ownership = ownership;
  }

  /** Takes a complete reading; names in `keep` were written since it began and stay (Z-6). Answers the names whose view changed. */
  async load(sets: readonly RecordSet[], keep: ReadonlySet<string>): Promise<Set<DnsName>> {
    const slices = new Slices(this.#clock);
    const read = new Map<string, RecordSet[]>();
    for (const set of sets) {
      if (slices.isOver) await slices.next();
      const group = read.get(set.name);
      if (group === undefined) read.set(set.name, [set]);
      else group.push(set);
    }
    const gone = [...this.table.names()].filter((name) => !read.has(name));
    const moved: string[] = [];
    for (const name of [...read.keys(), ...gone]) {
      if (slices.isOver) await slices.next();
      if (!keep.has(name) && this.table.replaceName(name, read.get(name) ?? [])) moved.push(name);
    }
    return this.#refresh(moved);
  }

  /** Takes a reading of single names. Answers the names whose view changed. */
  async reread(names: readonly DnsName[], sets: readonly RecordSet[]): Promise<Set<DnsName>> {
    const read = groupByName(sets);
    const moved = names.filter((name) => this.table.replaceName(name, read.get(name) ?? []));
    return this.#refresh(moved);
  }

  /** Takes confirmed changes. Answers the names whose view changed. */
  async applied(changes: readonly Change[]): Promise<Set<DnsName>> {
    const moved = new Set<string>();
    for (const change of changes) {
      this.table.apply(change);
      moved.add(change.op === "remove" ? change.previous.name : change.next.name);
    }
    return this.#refresh([...moved]);
  }

  /** Every raw name that must be read so that the view of `name` is right: its own and its markers' names. */
  namesToRead(name: DnsName): readonly DnsName[] {
    return this.#ownership.related(name).map(trustedDnsName);
  }

  async #refresh(moved: readonly string[]): Promise<Set<DnsName>> {
    const slices = new Slices(this.#clock);
    const touched = new Set<DnsName>();
    for (const name of moved) {
      if (slices.isOver) await slices.next();
      for (const other of this.#ownership.affected(name)) touched.add(trustedDnsName(other));
    }
    if (touched.size > REBUILD_ABOVE) await this.#rebuild(touched, slices);
    else for (const name of touched) this.owned.put(name, await this.#viewOf(name));
    return touched;
  }

  async #viewOf(name: DnsName): Promise<readonly OwnedRecordSet[]> {
    const sets = this.#ownership.related(name).flatMap((related) => this.table.at(related));
    const folded = await this.#ownership.read(sets);
    return folded.filter((set) => set.name === name);
  }

  /** Many views at once: who affects whom is found from the records that exist, not from all that could. */
  async #rebuild(touched: ReadonlySet<DnsName>, slices: Slices): Promise<void> {
    const sources = new Map<string, string[]>();
    for (const name of this.table.names()) {
      if (slices.isOver) await slices.next();
      for (const other of this.#ownership.affected(name)) {
        if (!touched.has(trustedDnsName(other))) continue;
        const found = sources.get(other);
        if (found === undefined) sources.set(other, [name]);
        else found.push(name);
      }
    }
    const names = [...touched];
    for (let at = 0; at < names.length; at += FOLD_TOGETHER) {
      if (slices.isOver) await slices.next();
      await this.#fold(names.slice(at, at + FOLD_TOGETHER), sources);
    }
  }

  async #fold(
    names: readonly DnsName[],
    sources: ReadonlyMap<string, readonly string[]>,
  ): Promise<void> {
    const needed = new Set(
      names.flatMap((name) => [...(sources.get(name) ?? []), ...this.#ownership.affected(name)]),
    );
    const sets = [...needed].flatMap((name) => this.table.at(name));
    const folded = groupByName(await this.#ownership.read(sets));
    for (const name of names) this.owned.put(name, folded.get(name) ?? []);
  }
}

function groupByName<T extends { readonly name: DnsName }>(
  sets: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const set of sets) {
    const group = groups.get(set.name);
    if (group === undefined) groups.set(set.name, [set]);
    else group.push(set);
  }
  return groups;
}
