/** Owner ids besides the one of the group, as a zone sees them (ADR 0050). Interface only. */

/** Which ids are to be on. */
export interface FurtherIds {
  /**
   * True = on. One that is off, or is no longer in the map, is given up in every zone: its fence is
   * removed there, and its records stay.
   */
  wanted(): ReadonlyMap<string, boolean>;
}
