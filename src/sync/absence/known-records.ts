/** What is known to stand at a name, over all zones and accounts that may hold it. Pure reading. */
import { type DnsName, isAtOrBelow } from "../../model/dns-name.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import type { ZoneState } from "../cache/zone-state.ts";

/** As much of a zone's actor as is read. */
export interface KnownZone {
  readonly apex: DnsName;
  /** Null until the first complete load. */
  readonly state: Pick<ZoneState, "owned"> | null;
}

/**
 * Null while one of the zones that may hold the name has not been read: nobody knows what stands
 * there.
 */
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
