/**
 * DNSAnnotations count as if they were on the object, where a source asks for its records. What has
 * no effect is a problem of the object; the DNSAnnotation has it in its status. One with a mistake
 * in its reference may have meant the object, and one that says nothing may have said names: then
 * nothing of the object goes (Z-5).
 */
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { namespacedName } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { insteadOf, NAMES_ANNOTATION } from "../../model/annotation-keys.ts";
import { hasMisspeltNames } from "../../model/annotation-slips.ts";
import {
  annotationsIn,
  BY_REFERENCED_NAME,
  type IgnoredKey,
  isAnnotatedBy,
  mayMean,
  mergeAnnotations,
  saysNothing,
} from "../../model/dns-annotation.ts";
import { type DnsClasses, isOfClass } from "../../model/dns-class.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { annotationField } from "../shared/annotations.ts";
import { heldItems } from "../shared/found.ts";
import type { Found, SourceFunctions } from "../source.ts";

/** What can be annotated. */
export interface AnnotatedObjects {
  readonly kinds: readonly KindRef[];
  /** Of the objects that are read here. */
  readonly dnsClasses: DnsClasses;
}

/** The answer for the object as its DNSAnnotations complete it. */
export function withDnsAnnotations(
  endpoints: SourceFunctions["endpoints"],
  annotated: AnnotatedObjects,
): SourceFunctions["endpoints"] {
  return (object, view) => {
    const near = annotationsNear(object, view);
    // As nearly always: a start asks for tens of thousands of objects.
    if (near.length === 0) return endpoints(object, view);
    const own = near.filter((one) => isAnnotatedBy(object, one));
    const found = merged(endpoints, { object, own, view });
    if (object.metadata.deletionTimestamp !== undefined) return found;
    if (!isOfClass(object, annotated.dnsClasses)) return found;
    const mistaken = near.filter((one) => mayMean(one, object, annotated.kinds));
    const held = mistaken.length === 0 ? found : withHeld(object, found, mistaken);
    return withSilent(object, held, own.filter(saysNothing));
  };
}

interface Annotated {
  readonly object: KubeObject;
  /** DNSAnnotations that annotate it. */
  readonly own: readonly KubeObject[];
  readonly view: ClusterView;
}

function merged(
  endpoints: SourceFunctions["endpoints"],
  { object, own: all, view }: Annotated,
): Found<DesiredRecordSet> {
  if (all.length === 0) return endpoints(object, view);
  const { annotated, ignored, setters } = mergeAnnotations(object, all);
  const found = endpoints(annotated, view);
  const { annotations = {} } = object.metadata;
  const lent = [...setters].filter(([key]) => annotations[key] === undefined);
  const own = found.problems.map((problem) => inSetter(problem, lent));
  const problems = [...own, ...ignored.map(problemOf)];
  const isMisspelt = ignored.some(({ key }) => hasMisspeltNames(object.kind, { [key]: "" }));
  return {
    ...found,
    problems,
    complete: found.complete && /* clause: dnsannotation-key-slip-is-a-mistake */ !isMisspelt,
  };
}

/** Those that refer to its name, or to none that an object can have, as far as they are known. */
function annotationsNear({ metadata }: KubeObject, view: ClusterView): readonly KubeObject[] {
  return [metadata.name, ""].flatMap((value) => {
    const lookup = view.indexed(BY_REFERENCED_NAME, value, metadata.namespace);
    return lookup.state === "value" ? lookup.value : [];
  });
}

/** Where more than names may be lost (a TTL, a policy), what the object has stays as it is, too. */
function withHeld(
  object: KubeObject,
  found: Found<DesiredRecordSet>,
  mistaken: readonly KubeObject[],
): Found<DesiredRecordSet> {
  const hasMore = mistaken.some((one) =>
    Object.keys(annotationsIn(one)).some((key) => key !== NAMES_ANNOTATION),
  );
  const kept = hasMore && found.items.length > 0 ? heldItems(found) : found;
  const problems = [...found.problems, ...mistaken.map((one) => mistakenProblem(object, one))];
  return { ...kept, problems, complete: false };
}

/** Their names stay; what the object says itself goes on. */
function withSilent(
  object: KubeObject,
  found: Found<DesiredRecordSet>,
  silent: readonly KubeObject[],
): Found<DesiredRecordSet> {
  // Of a kind whose names it cannot say, none can be lost.
  if (
    /* clause: silent-dnsannotation-is-a-mistake */ silent.length === 0 ||
    insteadOf(object.kind, NAMES_ANNOTATION) !== null
  )
    return found;
  const problems = [...found.problems, ...silent.map((one) => silentProblem(object, one))];
  return { ...found, problems, complete: false };
}

function silentProblem(object: KubeObject, annotation: KubeObject): Problem {
  const which = `DNSAnnotation ${namespacedName(annotation)}`;
  return {
    code: "AnnotationIgnored",
    subject: `${resourceOf(objectKeyOf(object, ""))} ${which}`,
    message: `${which} annotates nothing, so no name of this object is removed: write what it is to have, such as ${NAMES_ANNOTATION}, or delete ${which}`,
    field: "spec.annotations",
  };
}

function mistakenProblem(object: KubeObject, annotation: KubeObject): Problem {
  const which = `DNSAnnotation ${namespacedName(annotation)}`;
  return {
    code: "AnnotationIgnored",
    subject: resourceOf(objectKeyOf(object, "")),
    message: `the reference of ${which} has a mistake and may mean this object, so none of its records is removed: correct the reference, or delete ${which}`,
    field: "spec.resourceRef",
  };
}

/** A problem of a value that only DNSAnnotations have: the field is there. */
function inSetter(problem: Problem, lent: Iterable<[string, readonly KubeObject[]]>): Problem {
  for (const [key, all] of lent) {
    if (problem.field !== annotationField(key)) continue;
    const where = all.map(namespacedName).join(", ");
    return { ...problem, field: `spec.annotations[${key}] of DNSAnnotation ${where}` };
  }
  return problem;
}

function problemOf({ annotation, key, message }: IgnoredKey): Problem {
  return {
    code: "AnnotationIgnored",
    subject: `DNSAnnotation ${namespacedName(annotation)}`,
    message: `${key} has no effect there: ${message}`,
    field: `spec.annotations[${key}]`,
  };
}
