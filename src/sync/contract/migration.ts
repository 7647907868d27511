/**
 * Migration: bringing the markers of a zone (the records that state owners) to another form.
 * Request and report. Types only.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Change, Hold, MarkerTarget } from "../../plan/changes.ts";
import type { ZoneKey } from "./zone.ts";

/** Which markers to bring to which form. */
export interface MigrationRequest {
  /** Apex; null = every zone. */
  readonly zone: DnsName | null;
  readonly target: MarkerTarget;
  /** False = only report. */
  readonly apply: boolean;
}

/** One name whose markers do not have the form. */
export interface MigrationItem {
  readonly name: DnsName;
  /** What is written, the new marker before the old one goes; empty = nothing can be. */
  readonly writes: readonly Change[];
  /** Markers of the name that cannot be brought to the form, and why. */
  readonly holds: readonly Hold[];
}

/** The migration of one zone. */
export interface MigrationReport {
  readonly zone: ZoneKey;
  readonly apex: DnsName;
  /** Why the counts are not known; null = they are. */
  readonly trouble: string | null;
  /** False = the zone's registry writes markers in one form only: nothing can be outdated. */
  readonly hasForms: boolean;
  /** Names with markers that can be brought to the form. */
  readonly outdated: number;
  /** Names with markers that cannot; see their holds. A name may count as both. */
  readonly stuck: number;
  /** At most MIGRATION_ITEMS_MAX of them, sorted by name. */
  readonly items: readonly MigrationItem[];
  /** How many names are beyond that. */
  readonly unlisted: number;
}
