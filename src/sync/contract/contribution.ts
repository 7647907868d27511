/**
 * What one object wants in one zone, and what became of it there. Level-based: the last
 * contribution of an object is what counts, and a report tells of all its names.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ObjectKey } from "../../model/provenance.ts";
import type { DesiredRecordSet, RecordSet } from "../../model/record-set.ts";
import type { Found } from "../../sources/source.ts";
import type { ZoneKey } from "./zone.ts";

/** What one object wants in one zone. Replaces what it contributed before, whole. */
export interface Contribution {
  readonly object: ObjectKey;
  /** `metadata.generation` that this was computed from; echoed in reports. */
  readonly generation: number;
  readonly found: Found<DesiredRecordSet>;
  /**
   * The object has a deletionTimestamp, which proves that it wants nothing any more. `found.items`
   * are ignored.
   */
  readonly deleting: boolean;
  /**
   * The zone, of another apex, that is in charge of the object's names now and publishes them. The
   * object's records in this zone may be removed once a reading of that zone shows the names
   * (Z-18). Absent = the object wants the names in this zone.
   */
  readonly movedTo?: ZoneKey;
  /** Names that the object lists in other zones, or in none that is known. Absent = none. */
  readonly elsewhere?: readonly DnsName[];
  /** Fingerprint of what it asks for in all zones. Absent = that of `found`. */
  readonly print?: string;
}

/** True when the object is being deleted, or its names moved to another zone (Z-18). */
export function isWithdrawn({ deleting, movedTo }: Contribution): boolean {
  return deleting || movedTo !== undefined;
}

/** The reason of names whose records go to another set of controllers. */
export const HANDING_OVER = "HandingOver";

/** True when another set of controllers has taken the object (ADR 0077). */
export function isHandedOver({ found }: Contribution): boolean {
  return found.waiting.some(({ reason }) => reason === HANDING_OVER);
}

/** State of a name of a contribution. */
export type NameState =
  /** Confirmed in the zone by an outcome or a load. */
  | "published"
  /** Planned or in flight; nothing went wrong yet. */
  | "pending"
  /** Wanted, and the change is held: see `code`. */
  | "held"
  /** The last attempt failed and will be repeated. */
  | "failed"
  /** Withdrawn, and no record of it is in the zone any more. */
  | "removed";

/** One name of one contribution. */
export interface NameReport {
  readonly name: DnsName;
  readonly state: NameState;
  /** Hold code, or the failure's code; null when published, pending or removed. */
  readonly code: string | null;
  /** For people: why; empty when published. */
  readonly message: string;
  /** Published record sets of this object at that name. */
  readonly sets: readonly RecordSet[];
  /**
   * True when records of this object are in the zone (Stale rather than Error); null = the zone was
   * not read since the start, so that nobody knows.
   */
  readonly isPublished: boolean | null;
}

/** States of a contribution's names, after one of them changed. */
export interface ContributionReport {
  readonly object: ObjectKey;
  readonly zone: ZoneKey;
  readonly generation: number;
  /** Sorted by name. Empty for a deleting object whose names are all gone. */
  readonly names: readonly NameReport[];
}

/** The held records of an object at names that no object lists, sent when these change. */
export interface UnlistedReport {
  readonly object: ObjectKey;
  /** Empty = none any more. */
  readonly unlisted: readonly NameReport[];
}

/** What became of an object's records. */
export type ObjectReport = ContributionReport | UnlistedReport;
