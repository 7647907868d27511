/** The known record sets at a name, in all zones and accounts that may hold it. Only reads. */
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import type { ZoneState } from "../cache/zone-state.ts";

/** The part of a zone's actor that is read. */
export interface KnownZone {
  readonly apex: DnsName;
  /** Null until the first complete load. */
  readonly state: Pick<ZoneState, "owned"> | null;
}

/** Null until every zone that may hold the name was read: its records may be unknown. */
export function knownRecordsAt(
  name: DnsName,
  zones: readonly KnownZone[],
): readonly OwnedRecordSet[] | null {
  const holding = zones.filter(({ apex }) => isAtOrBelow(name, apex));
  const sets: OwnedRecordSet[] = [];
  for (const { state } of holding) {
    if (state === null) return null;
    sets.push(...state.owned.at(name));
  }
  return sets;
}
