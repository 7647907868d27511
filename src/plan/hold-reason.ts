/** One row of the table of hold reasons. The rows are in hold-reasons.ts. */

/** A DNSEntry state that a hold leads to; `Ready` = the desired record exists. */
export type HeldState = "Ready" | "Stale" | "Error" | "Pending";

/**
 * The state of a held entry: while the zone has no record of it (`absent`), and while an older
 * record of it exists (`present`). Gardener: never Ready is Error, once Ready is Stale. A deleting
 * entry is Deleting with every hold (Z-19).
 */
export interface HeldStates {
  readonly absent: HeldState;
  readonly present: HeldState;
}

/** The record is written only after a person has acted. */
export const REFUSED: HeldStates = { absent: "Error", present: "Stale" };
/** The record is written by itself once its condition is met. */
export const DEFERRED: HeldStates = { absent: "Pending", present: "Stale" };

/**
 * The desired record exists: in another zone, where only the removal of the former record is held,
 * or as the record of another object.
 */
export const PASSING: HeldStates = { absent: "Ready", present: "Ready" };

/**
 * Who ends a hold: the author of the object, the operator of Zonekeeper, or nobody: it ends by
 * itself.
 */
export type Resolver = "user" | "operator" | "nobody";

/** One reason, for people. */
export interface HoldReason {
  readonly meaning: string;
  readonly remedy: string;
  readonly states: HeldStates;
  readonly resolvedBy: Resolver;
}

/** The end of most rows: the author of the object has to act. */
export const ENDED_BY_USER = { states: REFUSED, resolvedBy: "user" } as const;
/** The operator has to act. */
export const ENDED_BY_OPERATOR = { states: REFUSED, resolvedBy: "operator" } as const;
/** It follows by itself once the operator has acted. */
export const WAITS_FOR_OPERATOR = { states: DEFERRED, resolvedBy: "operator" } as const;
/** It follows by itself. */
export const WAITS = { states: DEFERRED, resolvedBy: "nobody" } as const;
/** Nothing is missing. */
export const PASSES = { states: PASSING, resolvedBy: "nobody" } as const;
