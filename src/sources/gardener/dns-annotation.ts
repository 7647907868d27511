/**
 * DNSAnnotations: annotations of an object that somebody else writes. They count as if they were on
 * the object, where a source asks for its records: names are the union, any other key is taken from
 * the object, else from the oldest DNSAnnotation. What loses is told on the object.
 */
import { NAMES_ANNOTATION } from "../../model/annotation-keys.ts";
import { DNS_ANNOTATION } from "../../model/kinds.ts";
import type { KubeObject } from "../../model/kubernetes.ts";
import { fieldsOf, namespacedName, textOf } from "../../model/object-fields.ts";
import type { Problem } from "../../model/problem.ts";
import type { ObjectIndex } from "../../ports/cluster-view.ts";
import type { SourceFunctions } from "../source.ts";

/**
 * Keys that say which names and records an object has. The others (class, pause, transfer) are the
 * right of whoever writes the object.
 */
const CARRIED: ReadonlySet<string> = new Set([
  NAMES_ANNOTATION,
  ...["ttl", "routing-policy", "cname-lookup-interval", "resolve-targets-to-addresses"].map(
    (key) => `dns.gardener.cloud/${key}`,
  ),
]);

/** By the object that they refer to. A reference to another namespace has no effect. */
const BY_REFERENCE: ObjectIndex = {
  name: "by-reference",
  kind: DNS_ANNOTATION,
  valuesOf: ({ metadata, spec }) => {
    const { apiVersion, kind, name, namespace } = fieldsOf(fieldsOf(spec)["resourceRef"]);
    const isOwn = (textOf(namespace) ?? metadata.namespace) === metadata.namespace;
    return isOwn ? [referenceText(textOf(apiVersion), textOf(kind), textOf(name))] : [];
  },
};

/** The answer for the object as its DNSAnnotations complete it. */
export function withDnsAnnotations(
  endpoints: SourceFunctions["endpoints"],
): SourceFunctions["endpoints"] {
  return (object, view) => {
    const { apiVersion, kind, metadata } = object;
    const value = referenceText(apiVersion, kind, metadata.name);
    const lookup = view.indexed(BY_REFERENCE, value, metadata.namespace);
    if (lookup.state !== "value" || lookup.value.length === 0) return endpoints(object, view);
    const { annotated, problems } = merged(object, [...lookup.value].sort(byAge));
    const found = endpoints(annotated, view);
    return { ...found, problems: [...found.problems, ...problems] };
  };
}

function merged(object: KubeObject, oldestFirst: readonly KubeObject[]) {
  const annotations: Record<string, string> = { ...object.metadata.annotations };
  const problems: Problem[] = [];
  for (const one of oldestFirst)
    for (const [key, value] of Object.entries(fieldsOf(fieldsOf(one["spec"])["annotations"]))) {
      const present = annotations[key];
      if (typeof value !== "string" || value === present) continue;
      if (!CARRIED.has(key)) problems.push(noEffect(one, key, "write it on the object itself"));
      else if (present === undefined) annotations[key] = value;
      else if (key === NAMES_ANNOTATION) annotations[key] = `${present},${value}`;
      else problems.push(noEffect(one, key, "the object or an older DNSAnnotation sets it"));
    }
  const annotated: KubeObject = { ...object, metadata: { ...object.metadata, annotations } };
  return { annotated, problems };
}

function noEffect(one: KubeObject, key: string, why: string): Problem {
  return {
    code: "AnnotationIgnored",
    subject: `DNSAnnotation ${namespacedName(one)}`,
    message: `${key} has no effect there: ${why}, or remove it`,
    field: `spec.annotations[${key}]`,
  };
}

/** Versions of one group are one kind. */
function referenceText(
  apiVersion: string | null,
  kind: string | null,
  name: string | null,
): string {
  const group = apiVersion?.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  return `${group}/${kind ?? ""}/${name ?? ""}`;
}

function byAge(a: KubeObject, b: KubeObject): number {
  const keyOf = ({ metadata }: KubeObject): string =>
    `${metadata.creationTimestamp ?? ""} ${metadata.name}`;
  return keyOf(a) < keyOf(b) ? -1 : 1;
}
