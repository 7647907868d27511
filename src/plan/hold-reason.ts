/** What one row of the table of hold reasons says. Types only; the rows are hold-reasons.ts. */

/** A DNSEntry state that a hold leads to; `Ready` = what the user asked for stands. */
export type HeldState = "Ready" | "Stale" | "Error" | "Pending";

/**
 * The state of an entry that is held: while nothing of it is in the zone, and while an older record
 * of it stands there (Gardener: never Ready is Error, once Ready is Stale). A deleting entry is
 * Deleting whatever holds it (Z-19).
 */
export interface HeldStates {
  readonly absent: HeldState;
  readonly present: HeldState;
}

/** Who can end a hold: the author of the object, whoever runs Zonekeeper, or time alone. */
export type Resolver = "user" | "operator" | "nobody";

/** What people read about one reason. */
export interface HoldReason {
  readonly meaning: string;
  readonly remedy: string;
  readonly states: HeldStates;
  readonly resolvedBy: Resolver;
}
