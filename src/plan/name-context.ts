/** The input of the planner's decisions, and their result. Types and type guards only. */
import type { DesiredRecordSet } from "../model/record-set.ts";
import type { ObjectTransfer } from "../model/transfer-request.ts";
import type { Hold, KeyChange, OwnedRecordSet } from "./changes.ts";
import type { Marked } from "./rights.ts";
import type { PlanRules } from "./rules.ts";

/** One name while it is planned. */
export interface NameContext {
  /** The record sets of the zone at the name. */
  readonly current: readonly OwnedRecordSet[];
  /** The record sets of `current` that are ours. */
  readonly own: readonly Marked[];
  /** Members of `own` whose markers go, by an order or by their object (release.ts). */
  readonly released: readonly OwnedRecordSet[];
  /** The desired record sets that won the name: at most one for each key, and all can coexist. */
  readonly winners: readonly DesiredRecordSet[];
  /** Every desired record set that competed for the name, winners included. */
  readonly contenders: readonly DesiredRecordSet[];
  /** The transfer requests of objects, for the records whose markers name them. */
  readonly objectTransfers: readonly ObjectTransfer[];
  readonly rules: PlanRules;
}

/** The name, and the decisions about its desired record sets. */
export interface UnwantedContext extends NameContext {
  /**
   * Winners that this plan creates. Records of ours in their way are removed; decide-wanted.ts has
   * checked that they may be.
   */
  readonly created: readonly DesiredRecordSet[];
  /** Winners that are held. Records in their way stay, so that no answer is lost. */
  readonly held: readonly DesiredRecordSet[];
  /** Desired record sets that did not compete; their objects still want these keys. */
  readonly refused: readonly DesiredRecordSet[];
}

/** For one key: make this change, hold it, or do nothing. */
export type Decision = KeyChange | Hold | null;

/** True for a decision that holds something back. */
export function isHold(decision: Decision): decision is Hold {
  return decision !== null && "code" in decision;
}

/** True for a decision that changes something. */
export function isChange(decision: Decision): decision is KeyChange {
  return decision !== null && !isHold(decision);
}

/** True for a change that creates a record set. */
export function isCreate(decision: Decision): boolean {
  return isChange(decision) && decision.change?.op === "create";
}
