/** Owner ids that DNSOwners switch on, besides the main one (ADR 0050). Interface only. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";

/** Which ids are to be on. */
export interface FurtherIds {
  /**
   * By id: true = on; false, or not in the map = given up in every zone: its fence is removed
   * there, and its records stay; null = not known, so that it stays as it is. A null map = nothing
   * is known of any id.
   */
  wanted(): ReadonlyMap<string, boolean | null> | null;
  /**
   * Tells, when this changed, which ids are on and wait in a zone because another installation has
   * them, each with the reason for people; none when the zone is closed.
   */
  settled(zone: DnsName, waiting: ReadonlyMap<string, string>): void;
}
