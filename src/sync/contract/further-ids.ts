/** Owner ids besides the one of the group, as a zone sees them (ADR 0050). Interface only. */

import type { DnsName } from "@zonekeeper/dns/names/dns-name";

/** Which ids are to be on. */
export interface FurtherIds {
  /**
   * True = on. One that is off, or is not in the map, is given up in every zone: its fence is
   * removed there, and its records stay. Null = it is not known: what an id is, or what all of them
   * are, stays as it is.
   */
  wanted(): ReadonlyMap<string, boolean | null> | null;
  /**
   * What a zone came to, when that changed: the ids that are on and wait there, each with the
   * reason for people; none when the zone is closed.
   */
  settled(zone: DnsName, waiting: ReadonlyMap<string, string>): void;
}
