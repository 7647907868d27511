/**
 * What the objects at a name say about their records: a permit stands only while its object gives it, and who gives its
 * records up gives up all of them. Silence is no word: what nobody is heard about stays as it is. Pure.
 */
import type { DesiredRecordSet } from "../model/record-set.ts";
import { NO_TRANSFER, type TransferStatement } from "../model/transfer-request.ts";
import type { OwnedRecordSet } from "./changes.ts";
import { isOurs, type Marked, names } from "./rights.ts";
import type { PlanRules } from "./rules.ts";

/** What decides whether a record set is given up. */
export interface StatementScene {
  /** Of every object that was read and lists the name, or has a marker there. */
  readonly said: readonly TransferStatement[];
  readonly rules: Pick<PlanRules, "owners">;
}

/** What is said by wishes, and by objects that want nothing here or cannot say what. */
export function statementsAt(
  desired: readonly DesiredRecordSet[],
  { said = [] }: Pick<PlanRules, "said">,
): readonly TransferStatement[] {
  const wished = desired.map(({ provenance, transfer = NO_TRANSFER }) => ({
    object: provenance,
    transfer,
  }));
  return said.length === 0 ? wished : wished.concat(said);
}

/** What the object in the marker says; empty = nothing is known of it. */
export function heardOf(
  { marker }: Marked,
  said: readonly TransferStatement[],
): readonly TransferStatement[] {
  return said.filter(({ object }) => names(marker, object));
}

/** True when the object in the marker gives its records up: this one too, whatever its type. */
export function isGivenUp(one: OwnedRecordSet, { said, rules }: StatementScene): boolean {
  if (one.data === null || !isOurs(one, rules)) return false;
  const heard = heardOf(one, said);
  return heard.length > 0 && heard.every(({ transfer }) => transfer.release);
}
