/**
 * core/v1 Node. Plain storage: no kubelet reports, nothing is scheduled; its addresses are a source
 * of names. Fields that are not merged by a key are not listed (ADR 0104).
 */

import { NODE } from "../../objects/kinds.ts";
import { forbidden } from "../errors/api-error.ts";
import { listAt, objectAt, textAt, valueAt } from "../json/json.ts";
import { AGE_COLUMN, column, columnAt, NAME_COLUMN, WIDE } from "../objects/columns.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { builtInKind } from "./built-in-kind.ts";
import { all, oneOf, type Rule } from "./rules.ts";

/** Once set, it stays (core/validation `ValidateNodeUpdate`). */
const setOnce =
  (field: string): Rule =>
  (node, previous) => {
    const had = textAt(previous, "spec", field);
    const detail = "node updates may not change it except from empty to a value";
    return had === "" || had === textAt(node, "spec", field)
      ? []
      : [forbidden(`spec.${field}`, detail)];
  };

/** Nodes; columns as `printNode` of kubernetes pkg/printers/internalversion. */
export const NODE_KIND = builtInKind(NODE, {
  shortNames: ["no"],
  hasStatus: true,
  createsStatus: true,
  columns: [
    NAME_COLUMN,
    column("Status", readiness),
    column("Roles", roles),
    AGE_COLUMN,
    columnAt("Version", ".status.nodeInfo.kubeletVersion"),
    column("Internal-IP", (node) => addressOf(node, "InternalIP"), WIDE),
    column("External-IP", (node) => addressOf(node, "ExternalIP"), WIDE),
    columnAt("OS-Image", ".status.nodeInfo.osImage", { ...WIDE, empty: "<unknown>" }),
    columnAt("Kernel-Version", ".status.nodeInfo.kernelVersion", { ...WIDE, empty: "<unknown>" }),
    columnAt("Container-Runtime", ".status.nodeInfo.containerRuntimeVersion", {
      ...WIDE,
      empty: "<unknown>",
    }),
  ],
  selectable: {
    "spec.unschedulable": (node) => String(valueAt(node, "spec", "unschedulable") === true),
  },
  defaults: (node) => ({ ...node, spec: objectAt(node, "spec") }),
  check: all(
    oneOf("spec.taints[].effect", ["NoExecute", "NoSchedule", "PreferNoSchedule"]),
    setOnce("podCIDR"),
    setOnce("providerID"),
  ),
});

/** Ready, NotReady or Unknown, and whether it takes pods. */
function readiness(node: StoredObject): string {
  const ready = listAt(node, "status", "conditions").find(
    (each) => textAt(each, "type") === "Ready",
  );
  const isReady = textAt(ready, "status") === "True";
  const state = ready === undefined ? "Unknown" : isReady ? "Ready" : "NotReady";
  return valueAt(node, "spec", "unschedulable") === true ? `${state},SchedulingDisabled` : state;
}

const ROLE_PREFIX = "node-role.kubernetes.io/";

/** Roles are labels. */
function roles(node: StoredObject): string {
  const found = Object.keys(node.metadata.labels ?? {})
    .filter((key) => key.startsWith(ROLE_PREFIX) && key !== ROLE_PREFIX)
    .map((key) => key.slice(ROLE_PREFIX.length));
  return found.sort().join(",") || "<none>";
}

function addressOf(node: StoredObject, type: string): string {
  const found = listAt(node, "status", "addresses").find((each) => textAt(each, "type") === type);
  return textAt(found, "address") || "<none>";
}
