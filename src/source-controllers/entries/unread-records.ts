/**
 * Problems for the author of an object whose annotations for external-dns, which are not read here,
 * name a record that has our owner id and that no object lists: nobody keeps it up to date. Pure.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { NAMES_ANNOTATION } from "../../model/annotation-keys.ts";
import { namesElsewhere } from "../../model/other-dialects.ts";
import type { Problem } from "../../model/problem.ts";
import type { NameReport } from "../../sync/contract/contribution.ts";

/** `unlisted`: records whose marker names the object, at names that no object lists. */
export function unreadProblems(
  object: KubeObject,
  unlisted: readonly NameReport[],
): readonly Problem[] {
  if (unlisted.length === 0) return [];
  const elsewhere = namesElsewhere(object);
  return unlisted.flatMap(({ name }) => {
    const where = elsewhere.get(name);
    if (where === undefined) return [];
    const message = `named in ${where}, which is not read; its record stays until a person removes it; set ${NAMES_ANNOTATION} to keep it up to date`;
    return { code: "Unsupported", subject: name, message };
  });
}
