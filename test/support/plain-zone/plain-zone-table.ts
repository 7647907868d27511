/**
 * Raw record sets of a zone in plain objects: what src/sync/cache/zone-table.ts must show. An
 * oracle for tests.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import {
  type DnsName,
  isAtOrBelow,
  parentOf,
  trustedDnsName,
} from "@zonekeeper/dns/names/dns-name";
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import { hasSameData, type RecordSet, recordSetKeyText } from "../../../src/model/record-set.ts";
import type { ZoneContent } from "../../../src/ownership/ownership.ts";
import type { Change } from "../../../src/plan/changes.ts";

/** Raw record sets of one zone by owner name. */
export class PlainZoneTable implements ZoneContent {
  readonly #apex: DnsName;
  readonly #byName = new Map<string, readonly RecordSet[]>();
  readonly #delegations = new Set<string>();

  constructor(apex: DnsName) {
    this.#apex = apex;
  }

  /** Every record set at a name, sorted by key; empty = none. */
  at(name: string): readonly RecordSet[] {
    return this.#byName.get(name) ?? [];
  }

  /** All names that hold something, in no special order. */
  names(): Iterable<string> {
    return this.#byName.keys();
  }

  /** Every record set. */
  all(): readonly RecordSet[] {
    return [...this.#byName.values()].flat();
  }

  /** Puts what was read at a name in place of what was known. True if that differs. */
  replaceName(name: string, sets: readonly RecordSet[]): boolean {
    const before = this.at(name);
    const after = [...sets].sort((a, b) => compareText(recordSetKeyText(a), recordSetKeyText(b)));
    this.#store(name, after);
    return !sameSets(before, after);
  }

  /** Carries out what a provider confirmed. */
  apply(change: Change): void {
    const target = change.op === "remove" ? change.previous : change.next;
    const others = this.at(target.name).filter((set) => !sameKey(set, target));
    const next = change.op === "remove" ? others : [...others, change.next];
    this.replaceName(target.name, next);
  }

  /** The delegation at or above a name, inside the zone and below its apex; null = none (Z-18). */
  delegationOf(name: DnsName): string | null {
    if (this.#delegations.size === 0) return null;
    let at: DnsName | null = name;
    while (at !== null && at !== this.#apex && isAtOrBelow(at, this.#apex)) {
      if (this.#delegations.has(at)) return at;
      at = parentOf(at);
    }
    return null;
  }

  /** Names at or below `name` that hold something; for what a new or gone delegation touches. */
  namesBelow(name: string): readonly DnsName[] {
    const ancestor = trustedDnsName(name);
    return [...this.#byName.keys()].map(trustedDnsName).filter((n) => isAtOrBelow(n, ancestor));
  }

  #store(name: string, sets: readonly RecordSet[]): void {
    if (sets.length === 0) this.#byName.delete(name);
    else this.#byName.set(name, sets);
    const delegates = name !== this.#apex && sets.some((set) => set.type === "NS");
    if (delegates) this.#delegations.add(name);
    else this.#delegations.delete(name);
  }
}

function sameKey(a: RecordSet, b: RecordSet): boolean {
  return a.type === b.type && a.setIdentifier === b.setIdentifier;
}

function sameSets(a: readonly RecordSet[], b: readonly RecordSet[]): boolean {
  return a.length === b.length && a.every((set, index) => sameSet(set, b[index]));
}

function sameSet(a: RecordSet, b: RecordSet | undefined): boolean {
  if (b === undefined || !sameKey(a, b) || a.ttlSeconds !== b.ttlSeconds) return false;
  return hasSameData(
    { ...a, values: canonicalValues(a.values) },
    { ...b, values: canonicalValues(b.values) },
  );
}
