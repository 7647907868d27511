/**
 * What a plan writes at each key: only what was just written and is to be written again shows that
 * the provider changes what it is given (D35). Data that follows its marker, and a permit that
 * follows its data, are something else. Pure.
 */
import { recordSetKeyText } from "../../model/record-set.ts";
import type { KeyChange, NamePlan } from "../../plan/changes.ts";

/**
 * One text for each key and each of its data, marker, permit and form that is written. What a
 * person took back is no such write: its object wants it again.
 */
export function writtenKeys({ changes }: NamePlan): readonly string[] {
  const own = changes.filter(({ reason }) => reason.code !== "Undone");
  return own.map((one) => `${aspectOf(one)} ${recordSetKeyText(one.key)}`);
}

function aspectOf({ migration, change, permit }: KeyChange): string {
  if (migration !== undefined) return "form";
  if (change !== null) return "data";
  // The permit of a transfer goes with its marker.
  return permit === undefined || permit.is === "used" ? "marker" : "permit";
}
