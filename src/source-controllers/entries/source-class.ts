/**
 * For which class of its source object an entry was made. Processes that read source objects of
 * different classes may make entries of one class in one cluster: each deletes only its own
 * (Z-25). Pure.
 */
import { SOURCE_CLASS_ANNOTATION } from "../../model/annotation-keys.ts";
import { classOf, type DnsClasses, isOfClass } from "../../model/dns-class.ts";
import type { KubeObject } from "../../model/kubernetes.ts";

/** Without the annotation it is the class of the entry. */
function sourceClassOf(entry: KubeObject): string {
  return entry.metadata.annotations?.[SOURCE_CLASS_ANNOTATION] ?? classOf(entry);
}

/** What the annotation of an entry of class `entryClass` says; null = it has none. */
export function sourceClassMark(object: KubeObject, entryClass: string): string | null {
  const dnsClass = classOf(object);
  return dnsClass === entryClass ? null : dnsClass;
}

/**
 * Entries of an object that the reader of `classes` may change or delete. Of an object of another
 * class: those that were made before it got that class. One of ours that is moved to this reader's
 * class is taken over with its entries.
 */
export function entriesOfReader(
  entries: readonly KubeObject[],
  object: KubeObject,
  classes: DnsClasses,
): readonly KubeObject[] {
  if (isOfClass(object, classes)) return entries;
  return entries.filter((entry) => classes.includes(sourceClassOf(entry)));
}
