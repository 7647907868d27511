/**
 * What a plan writes at each key, as texts that can be compared. A text that was just written and
 * is in the next plan again shows that the provider changes what it is given. Data, marker and
 * permit of a key differ, because a sequence writes one after the other. Pure.
 */
import { recordSetKeyText } from "../../model/record-set.ts";
import type { KeyChange, NamePlan } from "../../plan/changes.ts";

/**
 * One text for each key that is written: the key, and whether its data, its marker, its permit or
 * the form of its marker is. A change that a person undid is left out: its object wants it again.
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
