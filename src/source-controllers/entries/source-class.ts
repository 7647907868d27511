/**
 * For which class of its source object an entry was made. Processes that read source objects of
 * different classes may make entries of one class in one cluster: each deletes only its own
 * (Z-25). Pure.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { FORMER_CLASS_ANNOTATION, SOURCE_CLASS_ANNOTATION } from "../../model/annotation-keys.ts";
import { classOf, type DnsClasses, isOfClass } from "../../model/dns-class.ts";

/** The class of which another process took an entry into its main one; null = none did. */
function formerClassOf(entry: KubeObject): string | null {
  return entry.metadata.annotations?.[FORMER_CLASS_ANNOTATION] ?? null;
}

/** Without the annotation it is the class in which the entry was made. */
function sourceClassOf(entry: KubeObject): string {
  const mark = entry.metadata.annotations?.[SOURCE_CLASS_ANNOTATION];
  return (
    mark ??
    /* clause: former-class-has-entry */ formerClassOf(entry) ??
    /* clause: unmarked-entry-is-of-its-class */ classOf(entry)
  );
}

/** What the annotation of a new entry of class `entryClass` says; null = it has none. */
export function sourceClassMark(object: KubeObject, entryClass: string): string | null {
  const dnsClass = classOf(object);
  return dnsClass === entryClass ? null : dnsClass;
}

/** The same of an entry that exists: it says it also where its former class would say another. */
export function presentClassMark(object: KubeObject, entry: KubeObject): string | null {
  const former = formerClassOf(entry);
  const isOther = former !== null && former !== classOf(object);
  return isOther ? classOf(object) : sourceClassMark(object, classOf(entry));
}

/**
 * Whether an entry was made in one of these classes: it is of one, or another process took it out
 * of one into its main class (controllers/objects/main-class.ts). Its maker goes on with it there.
 */
export function wasMadeIn(entry: KubeObject, classes: DnsClasses): boolean {
  const former = formerClassOf(entry);
  return isOfClass(entry, classes) || (former !== null && classes.includes(former));
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
  // clause: object-brings-its-entries
  if (isOfClass(object, classes)) return entries;
  // clause: entries-of-other-reader-stay
  return entries.filter((entry) => classes.includes(sourceClassOf(entry)));
}
