/**
 * core/v1 Pod. Plain storage: nothing schedules or runs it; its addresses are a source of names.
 * Fields that users write and programs merge are listed (merge keys of k8s.io/api core/v1
 * `patchMergeKey`); what only a kubelet reads is kept as it is.
 */

import { POD } from "../../objects/kinds.ts";
import { missing } from "../errors/field-errors.ts";
import { listAt, objectAt, textAt, valueAt } from "../json/json.ts";
import { AGE_COLUMN, column, columnAt, NAME_COLUMN, WIDE } from "../objects/columns.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { schemaOf } from "../schema/schema-table.ts";
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

/** core/v1 Container; ephemeral containers have one more field. */
const CONTAINER = schemaOf(
  "One container.",
  `
  name!                          | Name; unique in the pod.
  image                          | Image.
  command []                     | What is started.
  args []                        | Its arguments.
  workingDir                     | Where it is started.
  ports [] key=containerPort list=map:containerPort,protocol | Its ports.
    name                         | Name; Services may refer to it.
    hostPort int32               | Port on the node.
    containerPort! int32         | Port of the container.
    protocol default=TCP         | TCP, UDP or SCTP.
    hostIP                       | Address on the node.
  envFrom [open]                 | Environment from other objects.
  env [] key=name                | Environment.
    name!                        | Name.
    value                        | Value.
    valueFrom open               | Where the value comes from.
  resources default={}           | What it needs.
    limits {int-or-string}       | At most.
    requests {int-or-string}     | At least.
    claims [open] list=map:name  | Claims.
  resizePolicy [open]            | What a resize needs.
  restartPolicy                  | Always, for init containers that go on.
  volumeMounts [open] key=mountPath | Volumes.
  volumeDevices [open] key=devicePath | Devices.
  livenessProbe open             | Is it alive?
  readinessProbe open            | Is it ready?
  startupProbe open              | Has it started?
  lifecycle open                 | What is called at its start and end.
  terminationMessagePath default=/dev/termination-log | File with its last message.
  terminationMessagePolicy default=File | File or FallbackToLogsOnError.
  imagePullPolicy                | Always, Never or IfNotPresent.
  securityContext open           | Rights.
  stdin bool                     | True = it has an input.
  stdinOnce bool                 | True = the input ends with its first user.
  tty bool                       | True = it has a terminal.
  targetContainerName            | Of an ephemeral container: the container that it debugs.
  `,
);

const SCHEMA = schemaOf(
  "Containers that run together.",
  `
  spec                           | What is wanted.
    volumes [open] key=name      | Volumes.
    initContainers [Container] key=name | What runs first.
    containers! [Container] key=name | What runs.
    ephemeralContainers [Container] key=name | Containers that were added for debugging.
    restartPolicy default=Always | Always, OnFailure or Never.
    terminationGracePeriodSeconds int64 default=30 | Seconds to end.
    activeDeadlineSeconds int64  | Seconds it may run.
    dnsPolicy default=ClusterFirst | ClusterFirst, ClusterFirstWithHostNet, Default or None.
    nodeSelector {} atomic       | Labels of its node.
    serviceAccountName           | Its account.
    serviceAccount               | The old name of serviceAccountName.
    automountServiceAccountToken bool | False = no token.
    nodeName                     | Its node.
    hostNetwork bool             | True = the network of the node.
    hostPID bool                 | True = the processes of the node.
    hostIPC bool                 | True = the IPC of the node.
    shareProcessNamespace bool   | True = its containers see one another.
    securityContext open default={} | Rights.
    imagePullSecrets [] key=name atomic | Secrets for images.
      name                       | Name of the Secret.
    hostname                     | Host name; default: the name of the pod.
    subdomain                    | Subdomain below the namespace.
    affinity open                | Where it likes to run.
    schedulerName default=default-scheduler | Who schedules it.
    tolerations [open]           | Taints that it bears.
    hostAliases [open] key=ip    | Lines of its hosts file.
    priorityClassName            | Class of its priority.
    priority int32               | Its priority.
    dnsConfig open               | Settings of its resolver.
    readinessGates [open]        | Conditions that it needs to be ready.
    runtimeClassName             | Class of its runtime.
    enableServiceLinks bool default=true | False = no variables of Services.
    preemptionPolicy             | PreemptLowerPriority or Never.
    overhead {int-or-string}     | What its runtime needs.
    topologySpreadConstraints [open] key=topologyKey list=map:topologyKey,whenUnsatisfiable | How it is spread.
    setHostnameAsFQDN bool       | True = the host name is the full one.
    os open                      | Its operating system.
    hostUsers bool               | False = users of its own.
    schedulingGates [open] key=name | Gates that delay its scheduling.
    resourceClaims [open] key=name | Claims.
    resources open               | What the whole pod needs.
  status                         | What is.
    observedGeneration int64     | The generation that this is about.
    phase                        | Pending, Running, Succeeded, Failed or Unknown.
    conditions [] key=type       | Conditions.
      type                       | Kind of the condition.
      status                     | True, False or Unknown.
      observedGeneration int64   | Generation that it is about.
      lastProbeTime time nullable | When it was probed last.
      lastTransitionTime time nullable | When the status changed last.
      reason                     | Machine readable cause.
      message                    | For people.
    message                      | For people.
    reason                       | Machine readable cause.
    nominatedNodeName            | The node that may be emptied for it.
    hostIP                       | Address of its node.
    hostIPs [] key=ip list=atomic | All of them.
      ip                         | Address.
    podIP                        | Its address.
    podIPs [] key=ip             | All of them.
      ip                         | Address.
    startTime time               | When its node took it.
    initContainerStatuses [open] | States of what runs first.
    containerStatuses [open]     | States of what runs.
    ephemeralContainerStatuses [open] | States of what was added.
    qosClass                     | Guaranteed, Burstable or BestEffort.
    resize                       | State of a resize.
    resourceClaimStatuses [open] key=name | States of its claims.
  `,
  { Container: CONTAINER },
);

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
  schema: SCHEMA,
  columns: [
    NAME_COLUMN,
    column("Ready", (pod) => `${readyCount(pod)}/${listAt(pod, "spec", "containers").length}`),
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

function readyCount(pod: StoredObject): number {
  return listAt(pod, "status", "containerStatuses").filter(
    (each) => valueAt(each, "ready") === true,
  ).length;
}

/** The reason of a container's state, else the phase of the pod. */
function stateOf(pod: StoredObject): string {
  if (pod.metadata.deletionTimestamp !== undefined) return "Terminating";
  const states = listAt(pod, "status", "containerStatuses").map((each) => objectAt(each, "state"));
  const reasons = states
    .map((each) => textAt(each, "waiting", "reason") || textAt(each, "terminated", "reason"))
    .filter((reason) => reason !== "");
  return reasons[0] ?? (textAt(pod, "status", "reason") || textAt(pod, "status", "phase"));
}

/** Of all containers. */
function restarts(pod: StoredObject): string {
  const counts = listAt(pod, "status", "containerStatuses").map((each) =>
    Number(valueAt(each, "restartCount") ?? 0),
  );
  return String(counts.reduce((sum, count) => sum + count, 0));
}
