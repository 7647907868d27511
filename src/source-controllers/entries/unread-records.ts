/**
 * Records of our owner id that an object's marker names and no object lists, where the object names
 * them for external-dns: the author learns that nobody keeps them up to date. Pure.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { NAMES_ANNOTATION } from "../../model/annotation-keys.ts";
import { namesElsewhere } from "../../model/other-dialects.ts";
import type { Problem } from "../../model/problem.ts";
import type { NameReport } from "../../sync/contract/contribution-report.ts";

/** What to tell the author of the object about its records at names that no object lists. */
export function unreadProblems(
  object: KubeObject,
  unlisted: readonly NameReport[],
): readonly Problem[] {
  if (unlisted.length === 0) return [];
  const elsewhere = namesElsewhere(object);
  return unlisted.flatMap(({ name }) => {
    const where = elsewhere.get(name);
    return where === undefined ? [] : { code: "Unsupported", subject: name, message: text(where) };
  });
}

function text(where: string): string {
  return `named in ${where}, which is not read; its record stays until a person removes it; set ${NAMES_ANNOTATION} to keep it up to date`;
}
