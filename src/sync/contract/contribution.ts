/**
 * What one object wants in one zone. Level-based: the last contribution of an object is what
 * counts. Types only.
 */
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
   * The object has a deletionTimestamp: it wants nothing any more, and that is proven.
   * `found.items` are ignored.
   */
  readonly deleting: boolean;
  /**
   * The object's names are published in that zone, of another apex, which is in charge of them now:
   * what it has here may go once a reading of that zone shows them (Z-18). Absent = it wants them
   * here.
   */
  readonly movedTo?: ZoneKey;
}
