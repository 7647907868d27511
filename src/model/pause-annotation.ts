/**
 * The annotations that leave alone what one object publishes (D63): its names are neither written
 * nor removed until they go. They work on source objects and on DNSEntries. Knows no cluster.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";

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
