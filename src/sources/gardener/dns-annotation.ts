/**
 * DNSAnnotations count as if they were on the object, where a source asks for its records. What has
 * no effect is a problem of the object; the DNSAnnotation has it in its status.
 */
import {
  annotatedObjectText,
  BY_ANNOTATED_OBJECT,
  type IgnoredKey,
  mergeAnnotations,
} from "../../model/dns-annotation.ts";
import { namespacedName } from "../../model/object-fields.ts";
import type { Problem } from "../../model/problem.ts";
import type { SourceFunctions } from "../source.ts";

/** The answer for the object as its DNSAnnotations complete it. */
export function withDnsAnnotations(
  endpoints: SourceFunctions["endpoints"],
): SourceFunctions["endpoints"] {
  return (object, view) => {
    const value = annotatedObjectText(object);
    const lookup = view.indexed(BY_ANNOTATED_OBJECT, value, object.metadata.namespace);
    if (lookup.state !== "value" || lookup.value.length === 0) return endpoints(object, view);
    const { annotated, ignored } = mergeAnnotations(object, lookup.value);
    const found = endpoints(annotated, view);
    return { ...found, problems: [...found.problems, ...ignored.map(problemOf)] };
  };
}

function problemOf({ annotation, key, message }: IgnoredKey): Problem {
  return {
    code: "AnnotationIgnored",
    subject: `DNSAnnotation ${namespacedName(annotation)}`,
    message: `${key} has no effect there: ${message}`,
    field: `spec.annotations[${key}]`,
  };
}
