/** What became of a contribution (what one object wants in one zone), by name. Types only. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ObjectKey } from "../../model/provenance.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { ZoneKey } from "./zone.ts";

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
