/** How an object says that it came from a zone. */
import { FIELD_MANAGER, type KubeObject } from "@zonekeeper/kube/objects/kubernetes";

/** `dns` = it came from a zone. */
export const ORIGIN_LABEL = "zonekeeper.dev/origin";
/** Fingerprint of the spec as it was imported. */
export const BASE_ANNOTATION = "zonekeeper.dev/base";

/**
 * True for what was imported, also where a copy of it lost its label, or somebody its annotations:
 * it is never published.
 */
export function isImported({ metadata }: KubeObject): boolean {
  const { labels = {}, annotations = {}, specManagers = [] } = metadata;
  return (
    labels[ORIGIN_LABEL] === "dns" ||
    annotations[BASE_ANNOTATION] !== undefined ||
    specManagers.includes(FIELD_MANAGER)
  );
}
