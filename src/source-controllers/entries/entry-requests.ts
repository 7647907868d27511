/**
 * Annotations by which a generated entry repeats what its source object asks for: transfer or
 * release of records, pause, ignore; and that the object still lists the name of an entry that
 * somebody deletes. Values that a person wrote at the entry stay. Pure.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { RELEASE_ANNOTATION, WANTED_AGAIN_ANNOTATION } from "../../model/annotation-keys.ts";
import {
  IGNORE_ANNOTATION,
  ignoreForEntries,
  isPausedByUs,
  isReleased,
  PAUSE_ANNOTATION,
  PAUSED_BY_SOURCE,
} from "../../model/object-annotations.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { RELEASED_BY_SOURCE, TRANSFER_ANNOTATIONS } from "../../model/transfer-request.ts";
import type { Found } from "../../sources/source.ts";
import type { SourceScope } from "./owner-link.ts";

/** The source object of the entries. */
export interface RequestingObject {
  readonly scope: SourceScope;
  readonly object: KubeObject;
  readonly found: Found<DesiredRecordSet>;
  /** Object name of the entry of a DNS name; never changes. */
  readonly nameOf: (name: DnsName) => string;
  /** This process publishes the entries. */
  readonly isServed: boolean;
}

/** Those of a new entry. */
export function requestsOf(object: KubeObject): Readonly<Record<string, string>> {
  const ignore = ignoreForEntries(object);
  return {
    ...transferOf(object),
    ...(isPausedByUs(object) ? { [PAUSE_ANNOTATION]: PAUSED_BY_SOURCE } : {}),
    ...(ignore === null ? {} : { [IGNORE_ANNOTATION]: ignore }),
  };
}

/** The changes of an entry that exists; null = it has them all. */
export function requestsPatch(context: RequestingObject, entry: KubeObject): AnnotationPatch {
  const { object } = context;
  return [
    transferPatch(object, entry),
    ownPausePatch(object, entry),
    ignorePatch(object, entry),
    againPatch(context, entry),
  ].reduce(joined);
}

/**
 * Where another process publishes and cannot see the object: says at an entry that somebody deletes
 * that the object still lists its name, so that its record stays until the entry is made again
 * (Z-30).
 */
function againPatch(
  { scope, isServed, ...context }: RequestingObject,
  entry: KubeObject,
): AnnotationPatch {
  const present = entry.metadata.annotations?.[WANTED_AGAIN_ANNOTATION];
  const isFar = scope.cluster !== scope.targetCluster;
  const isEnding = entry.metadata.deletionTimestamp !== undefined;
  if (isFar && !isServed && isEnding && isListed(context, entry))
    return present === "true" ? null : { [WANTED_AGAIN_ANNOTATION]: "true" };
  return present === undefined ? null : { [WANTED_AGAIN_ANNOTATION]: null };
}

/** True = the object lists the name of the entry, or may list it. */
function isListed(
  { found, nameOf }: Pick<RequestingObject, "found" | "nameOf">,
  entry: KubeObject,
): boolean {
  const listed = [...found.items, ...found.waiting];
  return !found.complete || listed.some(({ name }) => nameOf(name) === entry.metadata.name);
}

function ownPausePatch(object: KubeObject, entry: KubeObject): AnnotationPatch {
  const present = entry.metadata.annotations?.[PAUSE_ANNOTATION];
  if (isPausedByUs(object))
    return isPausedByUs(entry) ? null : { [PAUSE_ANNOTATION]: PAUSED_BY_SOURCE };
  return present === PAUSED_BY_SOURCE ? { [PAUSE_ANNOTATION]: null } : null;
}

/** Only the values that Gardener and we copy are changed; `true`, which a person wrote, stays. */
function ignorePatch(object: KubeObject, entry: KubeObject): AnnotationPatch {
  const present = entry.metadata.annotations?.[IGNORE_ANNOTATION];
  const wanted = ignoreForEntries(object);
  if (wanted !== null)
    /* clause: ignore-freezes-entry */ return present === wanted
      ? null
      : { [IGNORE_ANNOTATION]: wanted };
  return present === "reconcile" || present === "full" ? { [IGNORE_ANNOTATION]: null } : null;
}

/** By key, annotations to write or, where null, to remove; null = none. */
type AnnotationPatch = Readonly<Record<string, string | null>> | null;

/** Both patches as one. */
export function joined(one: AnnotationPatch, other: AnnotationPatch): AnnotationPatch {
  return one === null ? other : { ...one, ...other };
}

/** Transfer annotations of the object, as its entries have them. */
function transferOf(object: KubeObject): Readonly<Record<string, string>> {
  const isCopied = ([key]: readonly [string, string]) =>
    TRANSFER_ANNOTATIONS.includes(key) && key !== RELEASE_ANNOTATION;
  const copied = Object.entries(object.metadata.annotations ?? {}).filter(isCopied);
  const release = isReleased(object) ? { [RELEASE_ANNOTATION]: RELEASED_BY_SOURCE } : {};
  return { ...Object.fromEntries(copied), ...release };
}

/** Null = the entry has the same transfer annotations. One that a person has released stays so. */
function transferPatch(object: KubeObject, entry: KubeObject): AnnotationPatch {
  const wanted = transferOf(object);
  const present = entry.metadata.annotations ?? {};
  const release = present[RELEASE_ANNOTATION];
  const isPersons = release !== RELEASED_BY_SOURCE && (isReleased(entry) || !isReleased(object));
  const differing = TRANSFER_ANNOTATIONS.filter(
    (key) => wanted[key] !== present[key] && !(isPersons && key === RELEASE_ANNOTATION),
  );
  if (differing.length === 0) return null;
  return Object.fromEntries(differing.map((key) => [key, wanted[key] ?? null]));
}
