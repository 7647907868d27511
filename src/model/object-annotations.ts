/**
 * What annotations of an object say of all its records: they are left alone for now (paused, D63)
 * or given up (released), which owner id they have, and of which realms their DNSProviders are
 * (Gardener external-dns-management). Knows no cluster.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { RELEASE_ANNOTATION } from "./annotation-keys.ts";
import { RELEASED_BY_SOURCE } from "./transfer-request.ts";

/**
 * `true` pauses; absent, empty and `false` do not. Any other text pauses too: whoever wrote it
 * meant something.
 */
export const PAUSE_ANNOTATION = "zonekeeper.dev/paused";
/**
 * Its value on an entry that has it from its source object; it goes with that one's. A person's own
 * value stays.
 */
export const PAUSED_BY_SOURCE = "by-source";
/**
 * Gardener's: as the one above until the object is deleted. With `full` records stay even then.
 */
export const IGNORE_ANNOTATION = "dns.gardener.cloud/ignore";
/** Gardener's, on an entry: as `full`, and no source object changes it. */
export const HARD_IGNORE_ANNOTATION = "dns.gardener.cloud/target-hard-ignore";

/** The annotation by which the object asks that its names be left as they are; null = none. */
export function pausedBy(object: KubeObject): string | null {
  if (isPausedByUs(object)) return PAUSE_ANNOTATION;
  if (object.metadata.deletionTimestamp !== undefined) return null;
  const keys = [IGNORE_ANNOTATION, HARD_IGNORE_ANNOTATION];
  return keys.find((key) => isSet(object, key)) ?? null;
}

/** Whether the object asks that its names be left as they are. */
export function isPaused(object: KubeObject): boolean {
  return pausedBy(object) !== null;
}

/** Whether it has our own annotation. */
export function isPausedByUs(object: KubeObject): boolean {
  return isSet(object, PAUSE_ANNOTATION);
}

/** What generated entries get of Gardener's annotation; null = nothing. */
export function ignoreForEntries(object: KubeObject): "reconcile" | "full" | null {
  if (!isSet(object, IGNORE_ANNOTATION)) return null;
  return annotationOf(object, IGNORE_ANNOTATION) === "full" ? "full" : "reconcile";
}

/** Whether records stay, without markers, when the object is deleted. */
export function leavesRecords(object: KubeObject): boolean {
  return ignoreForEntries(object) === "full" || isSet(object, HARD_IGNORE_ANNOTATION);
}

function isSet(object: KubeObject, key: string): boolean {
  const value = annotationOf(object, key);
  return value !== "" && value !== "false";
}

function annotationOf({ metadata }: KubeObject, key: string): string {
  return metadata.annotations?.[key]?.trim().toLowerCase() ?? "";
}

/** How long one waits that would otherwise hold up the deletion of its namespace (Z-19). */
export const RELEASE_AFTER_MS = 3_600_000;

/** The annotation releases the object: a person's, or that of the object it is made for. */
export function isReleased({ metadata }: KubeObject): boolean {
  const value = metadata.annotations?.[RELEASE_ANNOTATION]?.trim();
  return value === "true" || value === RELEASED_BY_SOURCE;
}

/** Comma list on entries and DNSProviders; absent or empty = the realm without a name. */
export const REALMS_ANNOTATION = "dns.gardener.cloud/realms";

/** Sorted; `[""]` where the object names none. */
export function realmsOf({ metadata }: KubeObject): readonly string[] {
  return readRealms(metadata.annotations?.[REALMS_ANNOTATION] ?? "");
}

/** Realms of a comma list. */
export function readRealms(text: string): readonly string[] {
  return [...new Set(text.split(",").map((realm) => realm.trim()))].sort();
}

/** On an object: of its records. On a DNSProvider: of the records of objects that name none. */
export const OWNER_ID_ANNOTATION = "dns.gardener.cloud/owner-id";

/** What a marker of every format can carry. */
const OWNER_ID = /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,100}$/;

/** Whether a DNSOwner can switch it on. */
export function isOwnerId(text: string): boolean {
  return OWNER_ID.test(text);
}

/** What an owner id is, for messages. */
export const OWNER_ID_FORM =
  "write 1 to 100 printable ASCII characters without spaces, commas, quotes and backslashes";

/** Null = the object names none. */
export function ownerIdOf({ metadata }: KubeObject): string | null {
  return metadata.annotations?.[OWNER_ID_ANNOTATION]?.trim() || null;
}
