/** The kill switch as everything that writes to a zone sees it (docs/safety.md#no-calls). */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";

/**
 * Why nothing may be written to the zone with this apex now; null = it may. For an unknown
 * apex (null) the answer is a reason as soon as any zone has one. Asked right before each call that
 * changes a zone.
 */
export type WriteGate = (zone: DnsName | null) => string | null;

/** What keeps everything from being written to zones. */
export interface WriteRails {
  readonly dryRun: boolean;
  /** Pause, by zone and at run time. Absent = nothing is ever paused. */
  readonly writeGate?: WriteGate | undefined;
}
