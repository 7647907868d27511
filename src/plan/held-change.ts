/**
 * Turns a planned change into a hold. The hold keeps the change and the proof of a removal, because
 * a person who approves a set must be able to read it (Z-16). Pure.
 */
import type { Hold, KeyChange, NamePlan } from "./changes.ts";
import { type HoldDetail, holdAt } from "./hold-at.ts";
import { objectOf } from "./rights.ts";

/** Why a change is held. */
export type HoldCause = Pick<HoldDetail, "code" | "message"> & Pick<Hold, "set">;

/** The hold for a change. Its object is the one that wants the record, else the marker's. */
export function holdChange(one: KeyChange, { set, ...why }: HoldCause): Hold {
  const detail = { code: why.code, message: why.message, provenance: objectOf(one) };
  const waits = set === undefined ? {} : { set };
  return { ...holdAt(one.key, detail), ...waits, change: one.change, proof: one.proof };
}

/** The plan with these of its changes as holds; `isHeld` absent = all of them. */
export function holdChanges(
  plan: NamePlan,
  why: HoldCause,
  isHeld: (change: KeyChange) => boolean = () => true,
): NamePlan {
  const holds = plan.changes.filter(isHeld).map((one) => holdChange(one, why));
  const changes = plan.changes.filter((one) => !isHeld(one));
  return { ...plan, changes, holds: [...plan.holds, ...holds] };
}
