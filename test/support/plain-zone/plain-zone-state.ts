/**
 * The state of a zone in plain objects: what the columns of src/sync/cache/zone-state.ts must show,
 * whatever was done to both. An oracle for tests; never fast.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../../src/model/record-set.ts";
import { type Ownership, setsAround } from "../../../src/ownership/ownership.ts";
import type { Change, OwnedRecordSet } from "../../../src/plan/changes.ts";
import { PlainOwnedIndex } from "./plain-owned-index.ts";
import { PlainZoneTable } from "./plain-zone-table.ts";

/** Names whose view is rebuilt in one pass over everything instead of one by one. */
const REBUILD_ABOVE = 2_000;

/** Table and ownership of a zone. */
export class PlainZoneState {
  readonly table: PlainZoneTable;
  readonly owned: PlainOwnedIndex;
  readonly #ownership: Ownership;

  constructor(apex: DnsName, ownership: Ownership, owners: ReadonlySet<string>) {
    this.table = new PlainZoneTable(apex);
    this.owned = new PlainOwnedIndex(owners);
    this.#ownership = ownership;
  }

  /**
   * Takes a complete reading; names in `keep` were written since it began and stay (Z-6). Answers
   * the names whose view changed.
   */
  async load(sets: readonly RecordSet[], keep: ReadonlySet<string>): Promise<Set<DnsName>> {
    const read = groupByName(sets);
    const names = new Set([...read.keys(), ...this.table.names()]);
    const moved: string[] = [];
    for (const name of names)
      if (!keep.has(name) && this.table.replaceName(name, read.get(name) ?? [])) moved.push(name);
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

  /**
   * Every raw name that must be read so that the view of `name` is right: its own and its markers'
   * names.
   */
  namesToRead(name: DnsName): readonly DnsName[] {
    return this.#ownership.related(name).map(trustedDnsName);
  }

  async #refresh(moved: readonly string[]): Promise<Set<DnsName>> {
    const affected = new Set<DnsName>();
    for (const name of moved)
      for (const other of this.#ownership.affected(name)) affected.add(trustedDnsName(other));
    if (affected.size > REBUILD_ABOVE) await this.#rebuild(affected);
    else for (const name of affected) this.owned.put(name, await this.#viewOf(name));
    return affected;
  }

  async #viewOf(name: DnsName): Promise<readonly OwnedRecordSet[]> {
    const folded = await this.#ownership.read(setsAround(name, this.#ownership, this.table));
    return folded.filter((set) => set.name === name);
  }

  async #rebuild(affected: ReadonlySet<DnsName>): Promise<void> {
    const folded = groupByName(await this.#ownership.read(this.table.all()));
    for (const name of affected) this.owned.put(name, folded.get(name) ?? []);
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
