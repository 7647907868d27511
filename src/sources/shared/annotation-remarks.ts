/**
 * What an object asks for by annotations that have no effect here: one that would change its
 * records holds them as they are, another one is a problem that stops nothing.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { remarksOn } from "../../model/annotation-remarks.ts";
import { hasMisspeltNames } from "../../model/annotation-slips.ts";
import { CLASS_ANNOTATION, impossibleClass, isOfClass } from "../../model/dns-class.ts";
import { BASE_ANNOTATION } from "../../model/imports.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found, SourceOptions } from "../source.ts";
import { annotationField, annotationProblem } from "./annotations.ts";
import { heldItems, listsNames } from "./found.ts";

/** What was found, with the remarks; names are held where a remark says so. */
export function withRemarks(
  object: KubeObject,
  found: Found<DesiredRecordSet>,
  { dnsClasses }: SourceOptions,
): Found<DesiredRecordSet> {
  const { annotations, deletionTimestamp } = object.metadata;
  if (annotations === undefined || deletionTimestamp !== undefined) return found;
  // An imported object has annotations that say so, and asks for nothing.
  if (annotations[BASE_ANNOTATION] !== undefined) return found;
  const impossible = impossibleClass(object);
  // A slip of the key is no wish to unpublish (Z-5): nothing of the object goes.
  if (impossible !== null) {
    // No process can have the class of such an object, so each one that reads it says so.
    const ofClass = { code: "InvalidClass", message: impossible };
    const problem = annotationProblem(object, CLASS_ANNOTATION, ofClass);
    return { ...found, problems: [...found.problems, problem], complete: false };
  }
  const remarks = remarksOn(object);
  if (remarks.length === 0 || !isOfClass(object, dnsClasses)) return found;
  const subject = resourceOf(objectKeyOf(object, ""));
  const remarked = remarks.map(
    ({ key, message }): Problem => ({
      code: "Unsupported",
      subject: `${subject} ${key}`,
      message,
      field: annotationField(key),
    }),
  );
  const isMisspelt = hasMisspeltNames(object.kind, annotations);
  const complete = found.complete && /* clause: key-slip-is-a-mistake */ !isMisspelt;
  // clause: meaningless-annotation-holds
  if (remarks.some(({ holds }) => holds) && listsNames(found)) return heldItems(found, ...remarked);
  return { ...found, problems: [...found.problems, ...remarked], complete };
}
