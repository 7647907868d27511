/**
 * DNS classes: which set of controllers an object belongs to (Gardener external-dns-management,
 * "DNS Classes"), and the names that derive from a class. Knows no cluster.
 */
import type { KubeObject } from "./kubernetes.ts";

/** On entries, providers and sources; absent = the default class. */
export const CLASS_ANNOTATION = "dns.gardener.cloud/class";
/** The class of objects without the annotation. */
export const DEFAULT_CLASS = "gardendns";

/** The class of an object; an empty annotation counts as none. */
export function classOf(object: KubeObject): string {
  return object.metadata.annotations?.[CLASS_ANNOTATION]?.trim() || DEFAULT_CLASS;
}

/**
 * The finalizer of a class on entries, providers and Secrets: `dns.gardener.cloud/compound` for the
 * default one.
 */
export function finalizerOf(dnsClass: string): string {
  const name = "dns.gardener.cloud/compound";
  return dnsClass === DEFAULT_CLASS ? name : `${dnsClass}.${name}`;
}

/** Annotations of a generated object: the class where it is not the default, else none. */
export function classAnnotations(dnsClass: string): Readonly<Record<string, string>> {
  return dnsClass === DEFAULT_CLASS ? {} : { [CLASS_ANNOTATION]: dnsClass };
}
