/**
 * Judges one DNSAnnotation, an object that adds annotations to another one, for its status (ADR
 * 0048): whether it has an effect, which of its keys have none and why, and what is wrong with its
 * reference to the object. Pure.
 */
import { apiVersionOf, type KindRef, type KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, namespacedName, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import {
  type AnnotationReference,
  annotationsIn,
  BY_REFERENCED_NAME,
  isAnnotatedBy,
  isOfKind,
  mergeAnnotations,
  referenceOf,
  saysNothing,
} from "../../model/dns-annotation.ts";
import { CLASS_ANNOTATION, classOf, type DnsClasses, isOfClass } from "../../model/dns-class.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
/** As `status` of a DNSAnnotation has it. */
export interface AnnotationVerdict {
  /** True = the object exists, and at least one key of the DNSAnnotation has an effect on it. */
  readonly active: boolean;
  /** For people; empty = all of its keys have an effect. */
  readonly message: string;
  /** `waits`: the object may be created later. `mistake`: somebody has to correct something. */
  readonly state: "fine" | "waits" | "mistake";
}

/** The cluster and what this process reads of it. */
export interface AnnotationFacts {
  readonly view: ClusterView;
  /** All kinds that DNSAnnotations can annotate. */
  readonly kinds: readonly KindRef[];
  /** The ones of them whose objects this process reads. */
  readonly served: readonly KindRef[];
  /** Classes of the objects that this process reads. */
  readonly dnsClasses: DnsClasses;
  /**
   * Classes of the DNSEntries that this process publishes; null = it publishes none of this
   * cluster.
   */
  readonly publishedClasses: DnsClasses | null;
}

/** Null = this process says nothing: another one reads the object, or it is not known yet. */
export function verdictOn(one: KubeObject, facts: AnnotationFacts): AnnotationVerdict | null {
  return verdictOnRead(one, facts) ?? verdictOnPublished(referenceOf(one), facts);
}

function verdictOnRead(one: KubeObject, facts: AnnotationFacts): AnnotationVerdict | null {
  const reference = referenceOf(one);
  const kind = facts.kinds.find((each) => isOfKind(reference, each));
  // clause: unannotated-kind-is-reported
  if (kind === undefined) return mistake(unknownKindText(reference, facts.kinds));
  // clause: foreign-reference-is-reported
  if (reference.isForeign)
    return mistake(
      `spec.resourceRef.namespace: objects of the namespace ${reference.namespace} are annotated only there; create the DNSAnnotation in ${reference.namespace}, or refer to an object of ${one.metadata.namespace}${STAYS}`,
    );
  // clause: process-reports-what-it-reads
  if (!facts.served.some((each) => isOfKind(reference, each))) return null;
  const object = facts.view.get(kind, reference.namespace, reference.name);
  if (object.state === "unknown") return /* clause: unreadable-object-is-not-gone */ null;
  if (object.state === "absent")
    return {
      active: false,
      message: `spec.resourceRef.name: there is no ${reference.kind} ${reference.namespace}/${reference.name}; create it, or correct the reference`,
      state: /* clause: object-may-come-later */ "waits",
    };
  // clause: dnsannotation-has-a-class
  if (isOfClass(object.value, facts.dnsClasses)) return merging(one, object.value, facts.view);
  return ofOtherClass(one, object.value, facts.dnsClasses);
}

/**
 * Whoever wrote the class there or on the DNSAnnotation wants its names from this process. A status
 * of the process that serves the object's class comes first. Gardener's status has no field for its
 * writer, so ours is known by the beginning of its message.
 */
function ofOtherClass(
  one: KubeObject,
  object: KubeObject,
  classes: DnsClasses,
): AnnotationVerdict | null {
  const { annotations = {} } = one.metadata;
  const asked = textOf(annotationsIn(one)[CLASS_ANNOTATION]) ?? annotations[CLASS_ANNOTATION];
  if (asked === undefined || !classes.includes(asked)) return null;
  const begin = "spec.resourceRef: this is for class";
  const { active, message } = fieldsOf(one["status"]);
  if (active !== undefined && textOf(message)?.startsWith(begin) !== true) return null;
  const [has, who] = [classOf(object), `${object.kind} ${namespacedName(object)}`];
  return mistake(
    `${begin} ${asked}, and the class of ${who} is ${has}: write ${CLASS_ANNOTATION}: ${asked} on the object itself, or, where nobody else reads class ${has}, start Zonekeeper with --source-dns-class ${asked},${has}`,
  );
}

/** A DNSEntry that no source copies. */
function verdictOnPublished(
  reference: AnnotationReference,
  { view, publishedClasses }: AnnotationFacts,
): AnnotationVerdict | null {
  if (publishedClasses === null || !isOfKind(reference, DNS_ENTRY)) return null;
  const entry = view.get(DNS_ENTRY, reference.namespace, reference.name);
  const isPublished = entry.state === "value" && isOfClass(entry.value, publishedClasses);
  return isPublished ? mistake(ENTRY_TEXT) : null;
}

/** Ends messages: a mistake keeps the records that the object had before (ADR 0003). */
const STAYS = "; what it published before stays until then";

const ENTRY_TEXT =
  "spec.resourceRef: a DNSEntry is annotated where dnsentry-source copies it, and this one is published itself; write it in the spec or the annotations of the DNSEntry, or annotate the object that it was generated for";

const EMPTY_TEXT = `spec.annotations is empty: write what its object is to have, such as dns.gardener.cloud/dnsnames, or delete the DNSAnnotation${STAYS}`;

function merging(one: KubeObject, object: KubeObject, view: ClusterView): AnnotationVerdict | null {
  if (saysNothing(one)) return mistake(EMPTY_TEXT);
  const { name, namespace } = object.metadata;
  const all = view.indexed(BY_REFERENCED_NAME, name, namespace);
  if (all.state !== "value") return /* clause: unreadable-dnsannotations-are-some */ null;
  const own = all.value.filter((each) => isAnnotatedBy(object, each));
  const lost = mergeAnnotations(object, own).ignored.filter(
    ({ annotation }) =>
      /* clause: own-losses-are-reported */ namespacedName(annotation) === namespacedName(one),
  );
  // clause: dnsannotation-keeps-a-key
  const active = lost.length < Object.keys(annotationsIn(one)).length;
  const message = lost
    .map(({ key, message: why }) => `spec.annotations[${key}] has no effect: ${why}`)
    .join("; ");
  return { active, message, state: lost.length === 0 ? "fine" : "mistake" };
}

function mistake(message: string): AnnotationVerdict {
  return { active: false, message, state: "mistake" };
}

function unknownKindText(
  { apiVersion, kind }: AnnotationReference,
  kinds: readonly KindRef[],
): string {
  const known = kinds.map((each) => `${each.kind} of ${apiVersionOf(each)}`).join(" or ");
  const given = `${JSON.stringify(kind)} of ${JSON.stringify(apiVersion)}`;
  return `spec.resourceRef: ${given} is no kind that is annotated; write ${known}${STAYS}`;
}
