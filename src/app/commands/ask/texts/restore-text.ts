/** Deleted objects of a held set for people, with manifests that `kubectl apply` takes. Pure. */
import { stringify } from "yaml";
import type { RestoredObject } from "../../../../controllers/objects/restore-objects.ts";
import { printable } from "../../../../model/printable.ts";

const STATES: Readonly<Record<RestoredObject["state"], string>> = {
  restore: "would be created again",
  restored: "created again",
  left: "left",
  apply: "not created",
  failed: "not created",
  "outside-set": "not of this set",
};

const OUTSIDE_SET = "Deleted within the hour as well, and not of this set; restore leaves it away:";

/** There is one line for each object, then manifests that a person may apply; a closing newline. */
export function restoreText(hash: string, objects: readonly RestoredObject[]): string {
  if (objects.length === 0)
    return `No deleted object of the set ${printable(hash)} is known: manifests are kept for a day, by the instance that saw the deletion.\n`;
  const isOutsideSet = ({ state }: RestoredObject): boolean => state === "outside-set";
  const set = objects.filter((one) => !isOutsideSet(one));
  const others = objects.filter(isOutsideSet);
  const isShown = objects.some(({ state }) => state === "restore");
  const lines = [
    ...set.map(lineOf),
    ...(isShown ? [`zonekeeper restore ${printable(hash)} --yes does it.`] : []),
    ...(others.length > 0 ? ["", OUTSIDE_SET, ...others.map(lineOf)] : []),
    ...manifestLines(objects),
  ];
  return `${lines.join("\n")}\n`;
}

function lineOf({ object, state, message }: RestoredObject): string {
  return printable(`${object}: ${STATES[state]}${message === "" ? "" : `: ${message}`}`);
}

function manifestLines(objects: readonly RestoredObject[]): readonly string[] {
  const manifests = objects.flatMap(({ state, manifest }) =>
    (state === "apply" || state === "outside-set") && manifest !== null
      ? [`---\n${stringify(manifest).trimEnd()}`]
      : [],
  );
  return manifests.length === 0 ? [] : ["", "For kubectl apply -f -:", ...manifests];
}
