/**
 * core/v1 Pod. Plain storage: nothing schedules or runs it; its addresses are a source of names.
 */
import { POD } from "../../../model/kinds.ts";
import { isObject, type JsonObject, listAt, objectAt, textAt, valueAt } from "../json/json.ts";
import { ageOf } from "../objects/age.ts";
import { AGE_COLUMN, column, NAME_COLUMN } from "../objects/columns.ts";
import { PLAIN_KIND, type ServedKind, type StoredObject } from "../objects/served-kind.ts";
import { checkPod } from "./pod-rules.ts";
import { POD_SCHEMA } from "./pod-schema.ts";

/** Pods; columns as `printPod` of kubernetes pkg/printers/internalversion. */
export const POD_KIND: ServedKind = {
  ...PLAIN_KIND,
  ref: POD,
  singular: "pod",
  shortNames: ["po"],
  categories: ["all"],
  hasStatus: true,
  schema: POD_SCHEMA,
  columns: [
    NAME_COLUMN,
    column("Ready", (pod) => `${readyCount(pod)}/${listAt(pod, "spec", "containers").length}`),
    column("Status", stateOf),
    column("Restarts", restarts),
    AGE_COLUMN,
    column("IP", (pod) => addressOf(pod), { priority: 1 }),
    column("Node", (pod) => textAt(pod, "spec", "nodeName") || "<none>", { priority: 1 }),
    column("Nominated Node", (pod) => textAt(pod, "status", "nominatedNodeName") || "<none>", {
      priority: 1,
    }),
    column("Readiness Gates", gates, { priority: 1 }),
  ],
  selectable: {
    "spec.nodeName": (pod) => textAt(pod, "spec", "nodeName"),
    "spec.restartPolicy": (pod) => textAt(pod, "spec", "restartPolicy"),
    "spec.schedulerName": (pod) => textAt(pod, "spec", "schedulerName"),
    "spec.serviceAccountName": (pod) => textAt(pod, "spec", "serviceAccountName"),
    "spec.hostNetwork": (pod) => String(valueAt(pod, "spec", "hostNetwork") === true),
    "status.phase": (pod) => textAt(pod, "status", "phase"),
    "status.podIP": (pod) => textAt(pod, "status", "podIP"),
    "status.podIPs": (pod) => textAt(pod, "status", "podIP"),
    "status.nominatedNodeName": (pod) => textAt(pod, "status", "nominatedNodeName"),
  },
  deletionShows: "marked object",
  defaults: withPodDefaults,
  admit: (pod) => {
    const status = { phase: "Pending", qosClass: qosClass(objectAt(pod, "spec")) };
    return { ...pod, status: { ...status, ...objectAt(pod, "status") } };
  },
  check: checkPod,
};

/** core/v1 defaults that depend on other fields. */
function withPodDefaults(pod: StoredObject): StoredObject {
  const spec = objectAt(pod, "spec");
  const filled = Object.fromEntries(
    ["initContainers", "containers"].flatMap((field) => {
      const containers = listAt(spec, field);
      return containers.length === 0 ? [] : [[field, containers.map(withDefaults)]];
    }),
  );
  return { ...pod, spec: { ...spec, ...filled } };
}

/** An image without a tag, or with the tag `latest`, is pulled each time. */
function withDefaults(container: unknown): unknown {
  if (!isObject(container)) return container;
  const image = textAt(container, "image");
  const last = image.slice(image.lastIndexOf("/") + 1);
  const isFixed = image.includes("@") || (last.includes(":") && !last.endsWith(":latest"));
  const imagePullPolicy = isFixed ? "IfNotPresent" : "Always";
  return { resources: {}, imagePullPolicy, ...container };
}

const MEASURES = ["cpu", "memory"];

/**
 * Guaranteed = every container has equal limits and requests of both measures; BestEffort = none
 * has any.
 */
function qosClass(spec: JsonObject): string {
  const all = ["initContainers", "containers"].flatMap((field) => listAt(spec, field));
  const said = all.map((each) => {
    const limits = objectAt(each, "resources", "limits");
    return { limits, requests: { ...limits, ...objectAt(each, "resources", "requests") } };
  });
  const has = (values: JsonObject, measure: string): boolean => values[measure] !== undefined;
  if (!said.some(({ requests }) => MEASURES.some((measure) => has(requests, measure))))
    return "BestEffort";
  const isGuaranteed = said.every(({ limits, requests }) =>
    MEASURES.every((each) => has(limits, each) && limits[each] === requests[each]),
  );
  return isGuaranteed ? "Guaranteed" : "Burstable";
}

function readyCount(pod: StoredObject): number {
  return listAt(pod, "status", "containerStatuses").filter(
    (each) => valueAt(each, "ready") === true,
  ).length;
}

/** What a container says; its reason comes before the phase of the pod. */
function stateOf(pod: StoredObject): string {
  if (pod.metadata.deletionTimestamp !== undefined) return "Terminating";
  const states = listAt(pod, "status", "containerStatuses").map((each) => objectAt(each, "state"));
  const reasons = states
    .map((each) => textAt(each, "waiting", "reason") || textAt(each, "terminated", "reason"))
    .filter((reason) => reason !== "");
  return reasons[0] ?? (textAt(pod, "status", "reason") || textAt(pod, "status", "phase"));
}

/** `3 (5m ago)` once the time of the last end is known. */
function restarts(pod: StoredObject, nowMs: number): string {
  const states = listAt(pod, "status", "containerStatuses");
  const count = states.reduce<number>(
    (sum, each) => sum + Number(valueAt(each, "restartCount") ?? 0),
    0,
  );
  const ends = states.map((each) => textAt(each, "lastState", "terminated", "finishedAt")).sort();
  const last = ends.at(-1) ?? "";
  return count > 0 && last !== "" ? `${count} (${ageOf(last, nowMs)} ago)` : String(count);
}

const addressOf = (pod: StoredObject): string =>
  textAt(listAt(pod, "status", "podIPs")[0], "ip") || textAt(pod, "status", "podIP") || "<none>";

/** `1/2`: conditions that are true, of those that are asked for. */
function gates(pod: StoredObject): string {
  const wanted = listAt(pod, "spec", "readinessGates").map((each) => textAt(each, "conditionType"));
  if (wanted.length === 0) return "<none>";
  const met = listAt(pod, "status", "conditions").filter(
    (each) => wanted.includes(textAt(each, "type")) && textAt(each, "status") === "True",
  );
  return `${met.length}/${wanted.length}`;
}
