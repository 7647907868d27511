/**
 * core/v1 Node. Plain storage: no kubelet reports, nothing is scheduled; its addresses are a source
 * of names.
 */
import { NODE } from "../../../model/kinds.ts";
import type { FieldError } from "../errors/api-error.ts";
import { type JsonObject, listAt, objectAt, textAt, valueAt } from "../json/json.ts";
import { AGE_COLUMN, column, NAME_COLUMN } from "../objects/columns.ts";
import { PLAIN_KIND, type ServedKind, type StoredObject } from "../objects/served-kind.ts";
import {
  boolean,
  integer,
  list,
  map,
  mergedBy,
  object,
  open,
  text,
  time,
} from "../schema/schema.ts";

const quantity = { description: "A quantity.", "x-kubernetes-int-or-string": true } as const;

/** core/v1 NodeSpec. */
const spec = object("What is wanted.", {
  podCIDR: text("Addresses of the pods."),
  podCIDRs: list("All of them.", text("A CIDR."), {
    "x-kubernetes-list-type": "set",
    "x-kubernetes-patch-strategy": "merge",
  }),
  providerID: text("The node at the cloud provider."),
  unschedulable: boolean("True = no new pods."),
  taints: list(
    "What keeps pods away.",
    object(
      "A taint.",
      {
        key: text("Key."),
        value: text("Value."),
        effect: text("NoSchedule, PreferNoSchedule or NoExecute."),
        timeAdded: time("When it was added."),
      },
      { required: ["key", "effect"] },
    ),
  ),
  configSource: open("Not used any more."),
  externalID: text("Not used any more."),
});

const condition = object("One condition.", {
  type: text("Kind of the condition."),
  status: text("True, False or Unknown."),
  lastHeartbeatTime: time("When it was reported last."),
  lastTransitionTime: time("When the status changed last."),
  reason: text("Machine readable cause."),
  message: text("For people."),
});

/** core/v1 NodeStatus. */
const status = object("What is.", {
  capacity: map("What it has.", quantity),
  allocatable: map("What pods may use of it.", quantity),
  phase: text("Not used any more."),
  conditions: list("Conditions.", condition, mergedBy("type")),
  addresses: list(
    "Its addresses.",
    object("An address.", {
      type: text("Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS."),
      address: text("The address."),
    }),
    mergedBy("type"),
  ),
  daemonEndpoints: open("Ports of its daemons."),
  nodeInfo: object("What runs on it.", {
    machineID: text("From its system."),
    systemUUID: text("From its hardware."),
    bootID: text("Changes with each start."),
    kernelVersion: text("Version of the kernel."),
    osImage: text("Operating system."),
    containerRuntimeVersion: text("Container runtime and version."),
    kubeletVersion: text("Version of kubelet."),
    kubeProxyVersion: text("Version of kube-proxy."),
    operatingSystem: text("linux or windows."),
    architecture: text("E.g. amd64."),
    swap: object("Swap.", { capacity: integer("Bytes.", { format: "int64" }) }),
  }),
  images: list("Images on the node.", open("An image.")),
  volumesInUse: list("Volumes in use.", text("A volume.")),
  volumesAttached: list("Volumes that are attached.", open("A volume.")),
  config: open("Not used any more."),
  runtimeHandlers: list("Runtime handlers.", open("A handler.")),
  features: open("Features of its runtime."),
});

/** Nodes; columns as `printNode` of kubernetes pkg/printers/internalversion. */
export const NODE_KIND: ServedKind = {
  ...PLAIN_KIND,
  ref: NODE,
  singular: "node",
  shortNames: ["no"],
  hasStatus: true,
  createsStatus: true,
  schema: object("A machine of the cluster.", { spec, status }),
  columns: [
    NAME_COLUMN,
    column("Status", readiness),
    column("Roles", roles),
    AGE_COLUMN,
    column("Version", (node) => info(node, "kubeletVersion")),
    column("Internal-IP", (node) => addressOf(node, "InternalIP"), { priority: 1 }),
    column("External-IP", (node) => addressOf(node, "ExternalIP"), { priority: 1 }),
    column("OS-Image", (node) => info(node, "osImage") || "<unknown>", { priority: 1 }),
    column("Kernel-Version", (node) => info(node, "kernelVersion") || "<unknown>", { priority: 1 }),
    column("Container-Runtime", (node) => info(node, "containerRuntimeVersion") || "<unknown>", {
      priority: 1,
    }),
  ],
  selectable: {
    "spec.unschedulable": (node) => String(valueAt(node, "spec", "unschedulable") === true),
  },
  defaults: (node) => ({
    ...node,
    spec: objectAt(node, "spec"),
    status: withZeros(objectAt(node, "status")),
  }),
  check: checkNode,
};

/** What core/v1 shows of a NodeStatus even when nobody said it (no omitempty there). */
function withZeros(status: JsonObject): JsonObject {
  const info = Object.fromEntries(INFO_FIELDS.map((field) => [field, ""]));
  const port = { Port: 0, ...objectAt(status, "daemonEndpoints", "kubeletEndpoint") };
  return {
    ...status,
    daemonEndpoints: { ...objectAt(status, "daemonEndpoints"), kubeletEndpoint: port },
    nodeInfo: { ...info, ...objectAt(status, "nodeInfo") },
  };
}

const INFO_FIELDS = [
  "machineID",
  "systemUUID",
  "bootID",
  "kernelVersion",
  "osImage",
  "containerRuntimeVersion",
  "kubeletVersion",
  "kubeProxyVersion",
  "operatingSystem",
  "architecture",
];

const info = (node: StoredObject, field: string): string =>
  textAt(node, "status", "nodeInfo", field);

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
  const found = Object.entries(node.metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX) && key !== ROLE_PREFIX) return [key.slice(ROLE_PREFIX.length)];
    return key === "kubernetes.io/role" && value !== "" ? [value] : [];
  });
  return [...new Set(found)].sort().join(",") || "<none>";
}

function addressOf(node: StoredObject, type: string): string {
  const found = listAt(node, "status", "addresses").find((each) => textAt(each, "type") === type);
  return textAt(found, "address") || "<none>";
}

const TAINT_EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/**
 * core/validation `ValidateNode`, `ValidateNodeUpdate`: taints, and addresses that stay once they
 * are set.
 */
function checkNode(node: StoredObject, previous: StoredObject | null): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, taint] of listAt(node, "spec", "taints").entries())
    if (!TAINT_EFFECTS.includes(textAt(taint, "effect")))
      errors.push({
        field: `spec.taints[${index}].effect`,
        reason: "FieldValueNotSupported",
        value: textAt(taint, "effect"),
        detail: `supported values: ${TAINT_EFFECTS.map((each) => JSON.stringify(each)).join(", ")}`,
      });
  for (const field of ["podCIDR", "providerID"]) {
    const had = textAt(previous, "spec", field);
    if (had !== "" && had !== textAt(node, "spec", field))
      errors.push({
        field: `spec.${field}`,
        reason: "FieldValueForbidden",
        detail: "node updates may not change it except from empty to a value",
      });
  }
  return errors;
}
