/**
 * The record sets of one memory zone with its serial and journal. Knows nothing of groups,
 * preconditions or faults; sessions share it, and tests write into it directly when they play a
 * stranger.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import {
  compareKeys,
  isSameKey,
  type RecordSet,
  recordSetKeyText,
} from "../../../src/model/record-set.ts";
import { isSameJson } from "../../../src/model/same-json.ts";
import type { MovedRecord } from "../../../src/providers/provider.ts";

/** The new record set of a key, or null to remove it. */
export interface Edit {
  readonly key: Pick<RecordSet, "name" | "type" | "setIdentifier">;
  readonly next: RecordSet | null;
}

/** One version step: what was written, and what stood there before. */
interface Version {
  /** Serial after it. */
  readonly serial: number;
  /** Monotonic milliseconds. */
  readonly atMs: number;
  readonly names: readonly DnsName[];
  readonly undo: readonly Edit[];
}

/** Versions that are kept for deltas and lagging reads. */
const JOURNAL_VERSIONS_MAX = 1000;

/** The zone as somebody sees it at one moment. */
export interface ZoneView {
  readonly apex: DnsName;
  readonly serial: number;
  /** Sorted by key; empty = nothing at the name. */
  at(name: DnsName): readonly RecordSet[];
  /** Sorted by key. */
  all(): readonly RecordSet[];
}

/** Mutable content of one zone. Every write that changes something raises the serial by one. */
export class ZoneContent implements ZoneView {
  readonly apex: DnsName;
  #serial = 1;
  #journal: readonly Version[] = [];
  readonly #names = new Map<DnsName, readonly RecordSet[]>();

  constructor(apex: DnsName, records: readonly RecordSet[] = []) {
    this.apex = apex;
    for (const set of records) this.#put({ key: set, next: set });
  }

  get serial(): number {
    return this.#serial;
  }

  at(name: DnsName): readonly RecordSet[] {
    const stored = this.#names.get(name) ?? [];
    return name === this.apex ? [...stored, this.#soa(this.#serial)].sort(compareKeys) : stored;
  }

  all(): readonly RecordSet[] {
    const stored = [...this.#names.values()].flat();
    return [...stored, this.#soa(this.#serial)].sort(compareKeys);
  }

  /**
   * Writes at once, in one version; equal writes do not move the serial. `atMs` is monotonic time.
   */
  write(edits: readonly Edit[], atMs = 0): void {
    const undo: Edit[] = [];
    for (const edit of edits) {
      const before = this.#find(edit.key);
      if (isSameJson(before, edit.next)) continue;
      undo.unshift({ key: edit.key, next: before });
      this.#put(edit);
    }
    if (undo.length === 0) return;
    this.#serial += 1;
    const names = [...new Set(undo.map(({ key }) => key.name))].sort(compareText);
    const version = { serial: this.#serial, atMs, names, undo };
    this.#journal = [...this.#journal, version].slice(-JOURNAL_VERSIONS_MAX);
  }

  /** Names written after `serial`, sorted; null when the journal does not reach back that far. */
  namesSince(serial: number): readonly DnsName[] | null {
    const oldest = this.#serial - this.#journal.length;
    if (serial > this.#serial || serial < oldest) return null;
    const later = this.#journal.filter((version) => version.serial > serial);
    return [...new Set(later.flatMap(({ names }) => names))].sort(compareText);
  }

  /**
   * What became of each record in the sets written after `serial`, as `view` shows it; null when
   * the journal does not reach back that far, or a set has an identifier.
   */
  recordsSince(serial: number, view: ZoneView): readonly MovedRecord[] | null {
    if (this.namesSince(serial) === null) return null;
    const moved = new Map<string, MovedRecord>();
    const later = this.#journal.filter((version) => version.serial > serial);
    const before = later.flatMap(({ undo }) => undo);
    const now = before.flatMap(({ key }) => view.at(key.name).filter((set) => isSameKey(set, key)));
    const sets = [...before.flatMap(({ next }) => next ?? []), ...now];
    if (sets.some(({ setIdentifier }) => setIdentifier !== null)) return null;
    for (const set of sets)
      for (const value of set.values) {
        const { name, type, ttlSeconds } = set;
        const isThere = now.includes(set);
        moved.set(`${name} ${type} ${value}`, { name, type, ttlSeconds, value, isThere });
      }
    return [...moved.values()];
  }

  /** The zone as it was at `atMs`: later versions are taken back. */
  asOf(atMs: number): ZoneView {
    const later = this.#journal.filter((version) => version.atMs > atMs);
    if (later.length === 0) return this;
    const past = new ZoneContent(this.apex, [...this.#names.values()].flat());
    for (const version of [...later].reverse()) for (const edit of version.undo) past.#put(edit);
    past.#serial = (later[0]?.serial ?? this.#serial) - 1;
    return past;
  }

  #find(key: Edit["key"]): RecordSet | null {
    const text = recordSetKeyText(key);
    return this.#names.get(key.name)?.find((set) => recordSetKeyText(set) === text) ?? null;
  }

  #put({ key, next }: Edit): void {
    const text = recordSetKeyText(key);
    const others = (this.#names.get(key.name) ?? []).filter(
      (set) => recordSetKeyText(set) !== text,
    );
    const sets = next === null ? others : [...others, next].sort(compareKeys);
    if (sets.length === 0) this.#names.delete(key.name);
    else this.#names.set(key.name, sets);
  }

  /** RFC 1035 §3.3.13; canonical rdata has no trailing dots. */
  #soa(serial: number): RecordSet {
    const apex = this.apex;
    return {
      name: apex,
      type: "SOA",
      setIdentifier: null,
      ttlSeconds: 3600,
      values: [`ns1.${apex} hostmaster.${apex} ${serial} 3600 600 86400 60`],
      properties: {},
      routingPolicy: null,
    };
  }
}
