/**
 * The documented rules of kstatus for kinds that it does not know, by which Flux and Helm decide
 * whether an object is done (https://github.com/kubernetes-sigs/cli-utils/tree/master/pkg/kstatus):
 * deletion first, then the observed generation, then Reconciling and Stalled, then Ready.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, numberOf } from "@zonekeeper/kube/objects/object-fields";

/** Its words. `Current` = done, `Failed` = it will not be done by waiting. */
export type Kstatus = "InProgress" | "Failed" | "Current" | "Terminating";

export function kstatusOf({ metadata, status }: KubeObject): Kstatus {
  if (metadata.deletionTimestamp !== undefined) return "Terminating";
  const fields = fieldsOf(status);
  const observed = numberOf(fields["observedGeneration"]);
  if (metadata.generation !== undefined && observed !== null && observed !== metadata.generation)
    return "InProgress";
  const list = fields["conditions"];
  const conditions = Array.isArray(list) ? list.map(fieldsOf) : [];
  const statusOf = (type: string): unknown =>
    conditions.find((one) => one["type"] === type)?.["status"];
  // Their order in the list decides where both are True; an object has at most one of them.
  if (statusOf("Reconciling") === "True") return "InProgress";
  if (statusOf("Stalled") === "True") return "Failed";
  const ready = statusOf("Ready");
  return ready === "False" || ready === "Unknown" ? "InProgress" : "Current";
}
