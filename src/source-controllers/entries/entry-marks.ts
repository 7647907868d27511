/**
 * Makes the annotations of a generated entry: realms and access (which DNSProviders may serve it),
 * properties of its record sets, class of its source object and, for a copy, what it was copied
 * from. From options (`EntryMarks`) or from the source object. Pure.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { IGNORE_OWNERS_ANNOTATION } from "../../controllers/zone-choice/applicant.ts";
import {
  COPIED_FROM_ANNOTATION,
  LIVE_ANNOTATION,
  PROPERTIES_ANNOTATION,
  RENAMED_TO_ANNOTATION,
  SOURCE_CLASS_ANNOTATION,
} from "../../model/annotation-keys.ts";
import type { EntryMarks } from "../../model/generated-entries.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { REALMS_ANNOTATION } from "../../model/object-annotations.ts";
import { propertiesText } from "../../model/record-attributes.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found } from "../../sources/source.ts";
import { copiedFrom } from "./copy-origins.ts";
import { linkTo, type SourceScope } from "./owner-link.ts";
import { noteOfCopy } from "./renamed-entries.ts";
import { presentClassMark, sourceClassMark } from "./source-class.ts";

/** The source object of the entries, and where their annotations come from. */
export interface MarkedObject {
  readonly marks: EntryMarks;
  readonly scope: SourceScope;
  readonly object: KubeObject;
  /** The record sets that the object lists; all have the same properties. */
  readonly found: Pick<Found<DesiredRecordSet>, "items">;
}

/** An entry that is no copy has none of these. Its live-check annotation is left to people. */
const NO_COPY = { [COPIED_FROM_ANNOTATION]: null, [RENAMED_TO_ANNOTATION]: null };

function marksOfCopy(scope: SourceScope, original: KubeObject) {
  return {
    [COPIED_FROM_ANNOTATION]: copiedFrom(scope, original),
    [RENAMED_TO_ANNOTATION]: noteOfCopy(original),
    [LIVE_ANNOTATION]: original.metadata.annotations?.[LIVE_ANNOTATION] ?? null,
  };
}

/** The annotations of an entry of the object; null = the entry must not have this key. */
function marksOf(
  { marks, scope, object, found }: MarkedObject,
  sourceClass: string | null,
): Readonly<Record<string, string | null>> {
  const realms =
    /* clause: object-realms-come-first */ object.metadata.annotations?.[REALMS_ANNOTATION] ??
    /* clause: generated-entries-have-realms */ marks.realms;
  // Only entries in another namespace or cluster say whose access counts; others have the owner's.
  const isFar = linkTo(scope, object).annotations !== undefined;
  // clause: ignored-owners-are-written
  const ignore = isFar ? { [IGNORE_OWNERS_ANNOTATION]: String(marks.ignoreOwners) } : {};
  const properties = propertiesText(found.items[0]?.properties ?? {});
  return {
    [REALMS_ANNOTATION]: realms,
    [PROPERTIES_ANNOTATION]: properties,
    [SOURCE_CLASS_ANNOTATION]: sourceClass,
    ...(scope.kind === DNS_ENTRY ? marksOfCopy(scope, object) : NO_COPY),
    ...ignore,
  };
}

/** The annotations of a new entry of this class. */
export function markAnnotations(
  marked: MarkedObject,
  entryClass: string,
): Readonly<Record<string, string>> {
  const given = Object.entries(marksOf(marked, sourceClassMark(marked.object, entryClass)));
  return Object.fromEntries(
    given.flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
}

/** The annotations to change; null = the entry has them all. */
export function markPatch(
  marked: MarkedObject,
  entry: KubeObject,
): Readonly<Record<string, string | null>> | null {
  const { annotations } = entry.metadata;
  const differing = Object.entries(marksOf(marked, presentClassMark(marked.object, entry))).filter(
    ([key, value]) => (annotations?.[key] ?? null) !== value,
  );
  return differing.length === 0 ? null : Object.fromEntries(differing);
}
