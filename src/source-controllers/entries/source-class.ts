/**
 * For which class of its source object an entry was made. Processes that read source objects of
 * different classes may generate entries of one class in one cluster: each deletes only its own
 * ones (Z-25). Another process may also move an entry to its main class, and notes the former
 * class. Pure.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { FORMER_CLASS_ANNOTATION, SOURCE_CLASS_ANNOTATION } from "../../model/annotation-keys.ts";
import { classOf, type DnsClasses, isOfClass } from "../../model/dns-class.ts";

/** The class from which another process moved the entry to its main class; null = none did. */
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

/**
 * The source class that a new entry of class `entryClass` notes in its annotation; null = it notes
 * none.
 */
export function sourceClassMark(object: KubeObject, entryClass: string): string | null {
  const dnsClass = classOf(object);
  return dnsClass === entryClass ? null : dnsClass;
}

/**
 * The same for an existing entry: it also has the annotation where its former class would be taken
 * for the source object's class.
 */
export function presentClassMark(object: KubeObject, entry: KubeObject): string | null {
  const former = formerClassOf(entry);
  const isOther = former !== null && former !== classOf(object);
  return isOther ? classOf(object) : sourceClassMark(object, classOf(entry));
}

/**
 * Whether an entry was made in one of these classes: it has one of them, or another process moved
 * it from one to its main class (controllers/objects/main-class.ts). The process that made it still
 * changes and deletes it.
 */
export function wasMadeIn(entry: KubeObject, classes: DnsClasses): boolean {
  const former = formerClassOf(entry);
  return isOfClass(entry, classes) || (former !== null && classes.includes(former));
}

/**
 * Entries of an object that the process which reads source objects of `classes` may change or
 * delete: all, if the object has such a class; else those that were made before the object left it.
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
