/**
 * Objects whose records are given up by annotation, and when one that is being deleted is released
 * although records are left.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { RELEASE_ANNOTATION } from "./annotation-keys.ts";
import { RELEASED_BY_SOURCE } from "./transfer-request.ts";

/** How long one waits that would otherwise hold up the deletion of its namespace (Z-19). */
export const RELEASE_AFTER_MS = 3_600_000;

/** The annotation releases the object: a person's, or that of the object it is made for. */
export function isReleased({ metadata }: KubeObject): boolean {
  const value = metadata.annotations?.[RELEASE_ANNOTATION]?.trim();
  return value === "true" || value === RELEASED_BY_SOURCE;
}
