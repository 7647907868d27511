/**
 * DNSAnnotations (ADR 0048): annotations of an object that somebody else writes. Names are the
 * union, any other key is taken from the object, else from the oldest DNSAnnotation. Pure.
 */
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import {
  type Fields,
  fieldsOf,
  namespacedName,
  textOf,
} from "@zonekeeper/kube/objects/object-fields";
import { insteadOf, NAMES_ANNOTATION, PROPERTIES_ANNOTATION } from "./annotation-keys.ts";
import { slipOf } from "./annotation-slips.ts";
import { CLASS_ANNOTATION, classOf } from "./dns-class.ts";
import { DNS_ANNOTATION, DNS_ENTRY } from "./kinds.ts";

/**
 * Keys that say which names and records an object has. The others (class, realms, pause, transfer)
 * are the right of whoever writes the object.
 */
const CARRIED: ReadonlySet<string> = new Set([
  NAMES_ANNOTATION,
  PROPERTIES_ANNOTATION,
  ...[
    ...["ttl", "routing-policy", "cname-lookup-interval", "resolve-targets-to-addresses"],
    "owner-id",
  ].map((key) => `dns.gardener.cloud/${key}`),
]);

/**
 * An index of DNSAnnotations by the name that they refer to: an object's name, or empty where no
 * object can have it.
 */
export const BY_REFERENCED_NAME = {
  name: "by-referenced-name",
  kind: DNS_ANNOTATION,
  valuesOf: (one: KubeObject): readonly string[] => {
    const { name } = referenceOf(one);
    return [OBJECT_NAME.test(name) ? name : ""];
  },
};

/** The characters of an object's name (RFC 1123, as Kubernetes has it). */
const OBJECT_NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;

/**
 * Whether a DNSAnnotation of its namespace annotates the object. A reference to another namespace
 * has no effect, and versions of one group are one kind.
 */
export function isAnnotatedBy(
  { apiVersion, kind, metadata }: KubeObject,
  one: KubeObject,
): boolean {
  const { isForeign, ...reference } = referenceOf(one);
  // clause: foreign-reference-has-no-effect
  if (isForeign) return false;
  const isOfGroup = groupOf(reference.apiVersion) === groupOf(apiVersion);
  return isOfGroup && reference.kind === kind && reference.name === metadata.name;
}

/** What a DNSAnnotation refers to; empty texts = it does not say. */
export interface AnnotationReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  /** It names another namespace than its own. */
  readonly isForeign: boolean;
}

/** The reference of a DNSAnnotation. */
export function referenceOf({ metadata, spec }: KubeObject): AnnotationReference {
  const reference = fieldsOf(fieldsOf(spec)["resourceRef"]);
  const read = (field: string): string => textOf(reference[field]) ?? "";
  const own = metadata.namespace ?? "";
  const namespace = read("namespace") || own;
  const named = { apiVersion: read("apiVersion"), kind: read("kind"), name: read("name") };
  return { ...named, namespace, isForeign: namespace !== own };
}

/** Whether a reference says this kind, in whichever version. */
export function isOfKind({ apiVersion, kind }: AnnotationReference, of: KindRef): boolean {
  return kind === of.kind && groupOf(apiVersion) === of.group;
}

/**
 * Whether a mistake in the reference may be why it does not reach the object: a kind that is none
 * of those that are annotated, another namespace, or a name that no object can have.
 */
export function mayMean(one: KubeObject, object: KubeObject, kinds: readonly KindRef[]): boolean {
  const reference = referenceOf(one);
  const { kind, name, isForeign } = reference;
  const isName = OBJECT_NAME.test(name);
  if (isName && name !== object.metadata.name) return false;
  if (!kinds.some((each) => isOfKind(reference, each))) return true;
  return kind === object.kind && (isForeign || !isName);
}

/** A key of a DNSAnnotation that has no effect, and why. */
export interface IgnoredKey {
  readonly annotation: KubeObject;
  readonly key: string;
  readonly message: string;
}

/** What becomes of an object and its DNSAnnotations. */
export interface MergedAnnotations {
  /** The object as they complete it. */
  readonly annotated: KubeObject;
  /** What of them is lost. */
  readonly ignored: readonly IgnoredKey[];
  /** By key: whose values count, the oldest first. */
  readonly setters: ReadonlyMap<string, readonly KubeObject[]>;
}

/** The object as its DNSAnnotations complete it. */
export function mergeAnnotations(
  object: KubeObject,
  all: readonly KubeObject[],
): MergedAnnotations {
  const annotations: Record<string, string> = { ...object.metadata.annotations };
  const setters = new Map<string, readonly KubeObject[]>();
  const ignored: IgnoredKey[] = [];
  for (const annotation of [...all].sort(byAge))
    for (const [key, value] of Object.entries(annotationsIn(annotation))) {
      const present = key === CLASS_ANNOTATION ? classOf(object) : annotations[key];
      if (typeof value !== "string" || value === present) continue;
      const before = setters.get(key) ?? [];
      const instead = insteadHere(object, key);
      if (instead !== null) ignored.push({ annotation, key, message: instead });
      else if (
        present === undefined ||
        /* clause: names-are-the-union */ key === NAMES_ANNOTATION
      ) {
        annotations[key] = present === undefined ? value : `${present},${value}`;
        setters.set(key, [...before, annotation]);
      } else {
        // clause: object-comes-before-dnsannotations
        ignored.push({ annotation, key, message: setText(object, before[0]) });
      }
    }
  const annotated: KubeObject = { ...object, metadata: { ...object.metadata, annotations } };
  return { annotated, ignored, setters };
}

function setText(object: KubeObject, older: KubeObject | undefined): string {
  const setter =
    older === undefined
      ? `${object.kind} ${namespacedName(object)}`
      : `the older DNSAnnotation ${namespacedName(older)}`;
  return `${setter} sets it; remove it there or here`;
}

/** What to do instead of a key that no DNSAnnotation sets on such an object; null = it may. */
function insteadHere({ kind, spec }: KubeObject, key: string): string | null {
  // clause: realms-are-not-carried
  if (!CARRIED.has(key)) return slipOf(key)?.message ?? "write it on the object itself";
  const field = kind === DNS_ENTRY.kind ? (ENTRY_FIELDS[key] ?? null) : null;
  if (field === null || (fieldsOf(spec)[field] ?? null) === null) return insteadOf(kind, key);
  return `spec.${field} of the DNSEntry sets it; remove it there or here`;
}

/** Fields of a DNSEntry that come before an annotation. */
const ENTRY_FIELDS: Readonly<Record<string, string>> = {
  "dns.gardener.cloud/ttl": "ttl",
  "dns.gardener.cloud/routing-policy": "routingPolicy",
  "dns.gardener.cloud/cname-lookup-interval": "cnameLookupInterval",
  "dns.gardener.cloud/resolve-targets-to-addresses": "resolveTargetsToAddresses",
  "dns.gardener.cloud/owner-id": "ownerId",
};

/** What a DNSAnnotation says, by key. */
export function annotationsIn({ spec }: KubeObject): Fields {
  return fieldsOf(fieldsOf(spec)["annotations"]);
}

/** It annotates nothing: a slip, and no wish that what it said before ends (Z-5). */
export function saysNothing(one: KubeObject): boolean {
  return Object.values(annotationsIn(one)).every((value) => typeof value !== "string");
}

/** Of an API version; empty = the core group. */
export function groupOf(apiVersion: string): string {
  return apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
}

function byAge(a: KubeObject, b: KubeObject): number {
  const keyOf = ({ metadata }: KubeObject): string =>
    `${metadata.creationTimestamp ?? ""} ${metadata.name}`;
  // clause: oldest-dnsannotation-comes-first
  return keyOf(a) < keyOf(b) ? -1 : 1;
}
