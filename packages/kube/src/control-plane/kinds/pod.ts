/**
 * core/v1 Pod. Plain storage: nothing schedules or runs it; its addresses are a source of names.
 * Listed is what has a default or is merged by a key (k8s.io/api core/v1 `patchMergeKey`);
 * everything else is kept as it is sent (ADR 0104).
 */
import { POD } from "../../objects/kinds.ts";
import { missing } from "../errors/api-error.ts";
import { listAt, objectAt, textAt, valueAt } from "../json/json.ts";
import { AGE_COLUMN, column, columnAt, NAME_COLUMN, WIDE } from "../objects/columns.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { builtInKind, selectableAt } from "./built-in-kind.ts";
import {
  all,
  distinct,
  LABEL,
  LABEL_TEXT,
  matches,
  oneOf,
  portNumber,
  protocol,
  type Rule,
  required,
} from "./rules.ts";

/** core/validation `ValidatePodSpec`: without containers there is nothing to run. */
const hasContainers: Rule = (pod) =>
  listAt(pod, "spec", "containers").length > 0 ? [] : [missing("spec.containers")];

const containerRules = ["spec.initContainers[]", "spec.containers[]"].flatMap((each) => [
  required(`${each}.name`),
  matches(`${each}.name`, LABEL, LABEL_TEXT),
  distinct(`${each}.name`),
  required(`${each}.image`),
  portNumber(`${each}.ports[].containerPort`),
  protocol(`${each}.ports[].protocol`),
]);

/** Pods; columns as `printPod` of kubernetes pkg/printers/internalversion. */
export const POD_KIND = builtInKind(POD, {
  generation: "counted",
  shortNames: ["po"],
  categories: ["all"],
  hasStatus: true,
  columns: [
    NAME_COLUMN,
    column("Ready", (pod) => {
      const ready = statusesOf(pod).filter((each) => valueAt(each, "ready") === true);
      return `${ready.length}/${listAt(pod, "spec", "containers").length}`;
    }),
    column("Status", stateOf),
    column("Restarts", restarts),
    AGE_COLUMN,
    columnAt("IP", ".status.podIP", { ...WIDE, empty: "<none>" }),
    columnAt("Node", ".spec.nodeName", { ...WIDE, empty: "<none>" }),
  ],
  selectable: {
    ...selectableAt("spec.nodeName", "spec.restartPolicy", "spec.schedulerName"),
    ...selectableAt("spec.serviceAccountName", "status.phase", "status.podIP"),
    ...selectableAt("status.nominatedNodeName"),
    "spec.hostNetwork": (pod) => String(valueAt(pod, "spec", "hostNetwork") === true),
    "status.podIPs": (pod) => textAt(pod, "status", "podIP"),
  },
  deletionShows: "marked object",
  admit: (pod) => ({ ...pod, status: { phase: "Pending", ...objectAt(pod, "status") } }),
  check: all(
    hasContainers,
    oneOf("spec.restartPolicy", ["Always", "Never", "OnFailure"]),
    matches("spec.hostname", LABEL, LABEL_TEXT),
    matches("spec.subdomain", LABEL, LABEL_TEXT),
    ...containerRules,
  ),
});

const statusesOf = (pod: StoredObject): readonly unknown[] =>
  listAt(pod, "status", "containerStatuses");

/** The reason of a container's state, else the phase of the pod. */
function stateOf(pod: StoredObject): string {
  if (pod.metadata.deletionTimestamp !== undefined) return "Terminating";
  const states = statusesOf(pod).map((each) => objectAt(each, "state"));
  const reasons = states
    .map((each) => textAt(each, "waiting", "reason") || textAt(each, "terminated", "reason"))
    .filter((reason) => reason !== "");
  return reasons[0] ?? (textAt(pod, "status", "reason") || textAt(pod, "status", "phase"));
}

/** The sum of the restarts of all containers. */
function restarts(pod: StoredObject): string {
  const counts = statusesOf(pod).map((each) => Number(valueAt(each, "restartCount") ?? 0));
  return String(counts.reduce((sum, count) => sum + count, 0));
}
