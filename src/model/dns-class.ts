/**
 * DNS classes: which set of controllers an object belongs to (Gardener external-dns-management,
 * "DNS Classes"), and the names that derive from a class. Knows no cluster.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";

/** On entries, providers and sources; absent = the default class. */
export const CLASS_ANNOTATION = "dns.gardener.cloud/class";
/** The class of objects without the annotation. */
export const DEFAULT_CLASS = "gardendns";

/** The main class of a process, and further ones whose objects it takes into the main one. */
export type DnsClasses = readonly [main: string, ...others: string[]];

/** A class begins the name of a finalizer, whose prefix is a DNS subdomain (Kubernetes). */
const CLASS = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
/** Bytes of a class: more than any needs, and well below what such a prefix may have. */
const CLASS_BYTES_MAX = 63;

/** Whether a process can have this class. */
export function isClass(text: string): boolean {
  return text.length <= CLASS_BYTES_MAX && CLASS.test(text);
}

/** What a class is, for messages. */
export const CLASS_FORM =
  'write lower-case letters, digits, and between them "-" and ".", as it begins the name of a finalizer';

/** Why no process can have the class of an object; null = one can. */
export function impossibleClass(object: KubeObject): string | null {
  const dnsClass = classOf(object);
  if (isClass(dnsClass)) return null;
  const shown = JSON.stringify(dnsClass.slice(0, 100));
  return `${shown} is no class, so nobody serves the object: ${CLASS_FORM}`;
}

/** The class of an object; an empty annotation counts as none. */
export function classOf(object: KubeObject): string {
  return object.metadata.annotations?.[CLASS_ANNOTATION]?.trim() || DEFAULT_CLASS;
}

/** Whether an object is of one of these classes. */
export function isOfClass(object: KubeObject, classes: DnsClasses): boolean {
  return classes.includes(classOf(object));
}

/**
 * The finalizer of a class on entries, providers and Secrets: `dns.gardener.cloud/compound` for the
 * default one.
 */
export function finalizerOf(dnsClass: string): string {
  return dnsClass === DEFAULT_CLASS ? FINALIZER : `${dnsClass}.${FINALIZER}`;
}

const FINALIZER = "dns.gardener.cloud/compound";

/** Whether it is the finalizer of any class. */
export function isFinalizer(name: string): boolean {
  return name === FINALIZER || name.endsWith(`.${FINALIZER}`);
}

/** Finalizers that count as ours: the first is set, any of them is taken off. */
export type Finalizers = readonly [main: string, ...others: string[]];

/** Finalizers of the classes of one process. */
export function finalizersOf([main, ...others]: DnsClasses): Finalizers {
  return [finalizerOf(main), ...others.map(finalizerOf)];
}

/** Annotations of a generated object: the class where it is not the default, else none. */
export function classAnnotations(dnsClass: string): Readonly<Record<string, string>> {
  return dnsClass === DEFAULT_CLASS ? {} : { [CLASS_ANNOTATION]: dnsClass };
}
