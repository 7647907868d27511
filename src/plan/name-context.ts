/** What the planner's decisions look at, and what a decision is. Types and type guards only. */
import type { DesiredRecordSet } from "../model/record-set.ts";
import type { ObjectTransfer } from "../model/transfer-request.ts";
import type { Hold, KeyChange, OwnedRecordSet } from "./changes.ts";
import type { PlanRules } from "./rules.ts";

/** One name while it is planned. */
export interface NameContext {
  /** What the zone holds at the name. */
  readonly current: readonly OwnedRecordSet[];
  /**
   * The record sets that are to stand at the name, at most one for a key; they can stand together.
   */
  readonly winners: readonly DesiredRecordSet[];
  /** Every wish that took part in the contest for the name, winners included. */
  readonly contenders: readonly DesiredRecordSet[];
  /** What objects say about the records that are marked as theirs. */
  readonly objectTransfers: readonly ObjectTransfer[];
  readonly rules: PlanRules;
}

/** For one key: do this, hold this, or nothing is to do. */
export type Decision = KeyChange | Hold | null;

/** True for a decision that holds something back. */
export function isHold(decision: Decision): decision is Hold {
  return decision !== null && "code" in decision;
}

/** True for a decision that changes something. */
export function isChange(decision: Decision): decision is KeyChange {
  return decision !== null && !isHold(decision);
}

/** True for a change that puts a record set where none stands. */
export function isCreate(decision: Decision): boolean {
  return isChange(decision) && decision.change?.op === "create";
}
