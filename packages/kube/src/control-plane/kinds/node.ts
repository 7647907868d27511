/**
 * core/v1 Node. Plain storage: no kubelet reports, nothing is scheduled; its addresses are a source
 * of names.
 */
import { NODE } from "../../objects/kinds.ts";
import { listAt, objectAt, textAt, valueAt } from "../json/json.ts";
import { AGE_COLUMN, column, columnAt, NAME_COLUMN, WIDE } from "../objects/columns.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { schemaOf } from "../schema/schema-table.ts";
import { builtInKind } from "./built-in-kind.ts";
import { all, oneOf, type Rule } from "./rules.ts";

const SCHEMA = schemaOf(
  "A machine of the cluster.",
  `
  spec                           | What is wanted.
    podCIDR                      | Addresses of the pods.
    podCIDRs [] list=set merge   | All of them.
    providerID                   | The node at the cloud provider.
    unschedulable bool           | True = no new pods.
    taints []                    | What keeps pods away.
      key!                       | Key.
      value                      | Value.
      effect!                    | NoSchedule, PreferNoSchedule or NoExecute.
      timeAdded time             | When it was added.
    configSource open            | Not used any more.
    externalID                   | Not used any more.
  status                         | What is.
    capacity {int-or-string}     | What it has.
    allocatable {int-or-string}  | What pods may use of it.
    phase                        | Not used any more.
    conditions [] key=type       | Conditions.
      type                       | Kind of the condition.
      status                     | True, False or Unknown.
      lastHeartbeatTime time     | When it was reported last.
      lastTransitionTime time    | When the status changed last.
      reason                     | Machine readable cause.
      message                    | For people.
    addresses [] key=type        | Its addresses.
      type                       | Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS.
      address                    | The address.
    daemonEndpoints open         | Ports of its daemons.
    nodeInfo                     | What runs on it.
      machineID                  | From its system.
      systemUUID                 | From its hardware.
      bootID                     | Changes with each start.
      kernelVersion              | Version of the kernel.
      osImage                    | Operating system.
      containerRuntimeVersion    | Container runtime and version.
      kubeletVersion             | Version of kubelet.
      kubeProxyVersion           | Version of kube-proxy.
      operatingSystem            | linux or windows.
      architecture               | E.g. amd64.
      swap open                  | Swap.
    images [open]                | Images on the node.
    volumesInUse []              | Volumes in use.
    volumesAttached [open]       | Volumes that are attached.
    config open                  | Not used any more.
    runtimeHandlers [open]       | Runtime handlers.
    features open                | Features of its runtime.
  `,
);

/** Once set, it stays (core/validation `ValidateNodeUpdate`). */
const setOnce =
  (field: string): Rule =>
  (node, previous) => {
    const had = textAt(previous, "spec", field);
    const detail = "node updates may not change it except from empty to a value";
    return had === "" || had === textAt(node, "spec", field)
      ? []
      : [{ field: `spec.${field}`, reason: "FieldValueForbidden", detail }];
  };

/** Nodes; columns as `printNode` of kubernetes pkg/printers/internalversion. */
export const NODE_KIND = builtInKind(NODE, {
  shortNames: ["no"],
  hasStatus: true,
  createsStatus: true,
  schema: SCHEMA,
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
