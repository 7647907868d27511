/**
 * A planned change that something holds back as a whole. What would be written, and how a removal
 * is known, stay with the hold: whoever is to approve a set must be able to read what they approve
 * (Z-16). Pure.
 */
import type { Hold, KeyChange } from "./changes.ts";
import { type HoldDetail, holdAt } from "./hold-reasons.ts";
import { objectOf } from "./rights.ts";

/**
 * The hold that stands for a change; its object is the one that wants the record, else the one in
 * its marker.
 */
export function holdChange(one: KeyChange, why: Pick<HoldDetail, "code" | "message">): Hold {
  const detail = { code: why.code, message: why.message, provenance: objectOf(one) };
  return { ...holdAt(one.key, detail), change: one.change, proof: one.proof };
}
