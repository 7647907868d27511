/**
 * The annotation that pauses what one object publishes (D63): its names are neither
 * written nor removed until it goes. Works on source objects and on DNSEntries. Knows no cluster.
 */
import type { KubeObject } from "./kubernetes.ts";

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

/** Whether the object asks that its names be left as they are. */
export function isPaused(object: KubeObject): boolean {
  const text = object.metadata.annotations?.[PAUSE_ANNOTATION]?.trim().toLowerCase() ?? "";
  return text !== "" && text !== "false";
}
