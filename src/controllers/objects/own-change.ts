/** Recognises the watch event of a write of this program's own, which needs no work. Pure. */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import { STATUS_ANNOTATION } from "../../model/annotation-keys.ts";
import { isSameJson } from "../../model/same-json.ts";

/**
 * True = the event changes nothing but the fields in which outcomes are written: our status
 * annotation, and where `writesStatus` the status.
 */
export function isOutcomeOnly(change: ObjectChange, writesStatus: boolean): boolean {
  const { type, object, previous } = change;
  if (type !== "modified" || previous === undefined) return false;
  return isSameJson(withoutOutcome(previous, writesStatus), withoutOutcome(object, writesStatus));
}

function withoutOutcome(object: KubeObject, writesStatus: boolean): KubeObject {
  const { annotations = {}, ...metadata } = object.metadata;
  const { [STATUS_ANNOTATION]: _, ...others } = annotations;
  const left = { ...metadata, annotations: others, resourceVersion: "", managedFields: null };
  return { ...object, metadata: left, ...(writesStatus ? { status: null } : {}) };
}
