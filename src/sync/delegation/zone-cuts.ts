/**
 * Zone cuts (Z-18): where a zone passes the authority for names on, what that means for a name in
 * it, and which cuts changed, so that names below them have to be planned again, or another zone
 * may be in charge of them.
 */
import {
  type DnsName,
  isAtOrBelow,
  parentOf,
  trustedDnsName,
} from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../model/record-set.ts";
import type { ZoneFacts } from "../../plan/removal/absence-facts.ts";
import type { Contribution } from "../contract/contribution.ts";
import { type ZoneCut, type ZoneKey, zoneKeyText } from "../contract/zone.ts";

/** The part of a zone's table that is read. */
export interface NamesOfZone {
  /** Every record set at a name. */
  at(name: string): readonly RecordSet[];
}

/** An open zone; its state is null until it is read. */
export interface ReadZone {
  readonly apex: DnsName;
  readonly state: { readonly table: NamesOfZone } | null;
}

/** Where the zone passes authority for a name on; null until it is read, and for no zone. */
export function cutIn(zone: ReadZone | null, name: DnsName): ZoneCut | null {
  const state = zone?.state ?? null;
  return zone === null || state === null ? null : cutOf(state.table, zone.apex, name);
}

/**
 * The cut for `name` in the zone of `apex`. Of nested delegations the topmost counts: what lies
 * below it is occluded and never answered (RFC 2136 §7.18, RFC 1034 §4.2.1). A name outside the
 * zone gets the apex.
 */
export function cutOf(table: NamesOfZone, apex: DnsName, name: DnsName): ZoneCut {
  let cut: ZoneCut = { at: apex, servers: serversAt(table, apex) };
  let at: DnsName | null = name;
  while (at !== null && at !== apex && isAtOrBelow(at, apex)) {
    const servers = serversAt(table, at);
    if (servers.length > 0) cut = { at, servers };
    at = parentOf(at);
  }
  return cut;
}

/** Names of servers in any letter case are equal (RFC 4343). */
function serversAt(table: NamesOfZone, name: DnsName): readonly string[] {
  const sets = table.at(name).filter((set) => set.type === "NS");
  const names = sets.flatMap((set) => set.values.map((value) => value.toLowerCase()));
  return [...new Set(names)].sort();
}

/** Bounded by the delegations of the zone. */
export class KnownCuts {
  #cuts: ReadonlyMap<string, string> = new Map();

  /**
   * Learns the names of the zone below which others answer, with who does. Answers those that were
   * added or removed, or where others answer now.
   */
  learn(delegations: ReadonlyMap<string, string>): readonly DnsName[] {
    const changed = [...delegations].filter(([name, text]) => this.#cuts.get(name) !== text);
    const removed = [...this.#cuts.keys()].filter((name) => !delegations.has(name));
    const names = [...changed.map(([name]) => name), ...removed];
    if (names.length > 0) this.#cuts = new Map(delegations);
    return names.map(trustedDnsName);
  }
}

/** The names that lie at or below one of the cuts. */
export function namesUnder(cuts: readonly DnsName[], names: Iterable<DnsName>): readonly DnsName[] {
  return [...names].filter((name) => cuts.some((cut) => isAtOrBelow(name, cut)));
}

/** The part of an open zone that is read. */
export interface OpenZone extends ReadZone {
  readonly key: ZoneKey;
}

/** Remembers one text for each pair of open zones: a zone, and an apex in it. */
export class CutWatch {
  readonly #listeners = new Set<() => void>();
  readonly #cuts = new Map<string, string>();

  /** The answer ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * `names` = those of the zone whose records may have changed. Calls each listener at most once.
   */
  changed(zone: OpenZone, names: Iterable<DnsName>, apexes: ReadonlySet<DnsName>): void {
    let changes = 0;
    for (const name of names) if (apexes.has(name) && this.#isNew(zone, name)) changes += 1;
    if (changes > 0) for (const listener of this.#listeners) listener();
  }

  /** The zone was closed; opened again it is new. */
  forget(key: ZoneKey): void {
    for (const id of [...this.#cuts.keys()])
      if (id.startsWith(prefixOf(key))) this.#cuts.delete(id);
  }

  #isNew(zone: OpenZone, apex: DnsName): boolean {
    const id = `${prefixOf(zone.key)}${apex}`;
    const text = JSON.stringify(cutIn(zone, apex));
    if (this.#cuts.get(id) === text) return false;
    this.#cuts.set(id, text);
    return true;
  }
}

function prefixOf(key: ZoneKey): string {
  return `${zoneKeyText(key)}|`;
}

/** What is known about a name when its former record set is judged. */
export interface MoveInput {
  /** Contributions to this zone that list the name. */
  readonly contributions: readonly Contribution[];
  /** Delegation at or above the name in this zone; null = none. */
  readonly delegation: ZoneCut | null;
  /** The object in the marker wants the name in exactly one other zone, of another apex. */
  readonly isWantedInOtherZone: boolean;
}

/**
 * Two kinds of record sets are proven unwanted by a move: those of an object whose names moved to
 * another zone, and those that a crash in the middle of such a move left. The guard reads the other
 * zone before they are removed. An address below the cut that the delegation's own server has is
 * glue (RFC 9499 §7): without it no resolver reaches the delegated zone.
 */
export function moveFacts(
  name: DnsName,
  { contributions, delegation, isWantedInOtherZone }: MoveInput,
): Pick<ZoneFacts, "isMovedAway" | "isLeftBehind" | "servesCut"> {
  return {
    isMovedAway: contributions.some(({ movedTo }) => movedTo !== undefined),
    isLeftBehind: contributions.length === 0 && isWantedInOtherZone,
    servesCut: delegation?.servers.includes(name) === true ? delegation.at : null,
  };
}
