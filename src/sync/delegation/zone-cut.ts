/**
 * Zone cuts as one zone holds them (Z-18): where it passes the authority for a name on. Pure.
 */
import { type DnsName, isAtOrBelow, parentOf } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../model/record-set.ts";
import type { ZoneCut } from "../contract/zone.ts";

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
