/**
 * What one object wants in one zone. Level-based: the last contribution of an object is what
 * counts.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ObjectKey } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
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
