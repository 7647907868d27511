/**
 * What a plan writes, part by part: only a part that was just written and is to be written again
 * shows that the provider changes what it is given (D35). Data that follows its marker, and a
 * permit that follows its data, are other parts. Pure.
 */
import { recordSetKeyText } from "../../model/record-set.ts";
import type { KeyChange, NamePlan } from "../../plan/changes.ts";

/** One text for each part of each key. */
export function partsOfPlan({ changes }: NamePlan): ReadonlySet<string> {
  return new Set(changes.map((one) => `${partOf(one)} ${recordSetKeyText(one.key)}`));
}

function partOf({ migration, change, permit }: KeyChange): string {
  if (migration !== undefined) return "form";
  if (change !== null) return "data";
  // The permit of a transfer goes with its marker.
  return permit === undefined || permit.is === "used" ? "marker" : "permit";
}
