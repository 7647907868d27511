/**
 * The schema of core/v1 Pod. Fields that users write and programs merge have their own nodes (merge
 * keys of k8s.io/api core/v1 `patchMergeKey`); what only a kubelet reads is kept as it is.
 */
import {
  boolean,
  integer,
  list,
  map,
  mergedBy,
  object,
  open,
  type Schema,
  text,
  time,
} from "../schema/schema.ts";

const int32 = (description: string): Schema => integer(description, { format: "int32" });
const int64 = (description: string): Schema => integer(description, { format: "int64" });
const quantity: Schema = { description: "A quantity.", "x-kubernetes-int-or-string": true };

/** core/v1 ContainerPort. */
const port = object(
  "One port.",
  {
    name: text("Name; Services may refer to it."),
    hostPort: int32("Port on the node."),
    containerPort: int32("Port of the container."),
    protocol: text("TCP, UDP or SCTP.", { default: "TCP" }),
    hostIP: text("Address on the node."),
  },
  { required: ["containerPort"] },
);

/** core/v1 Container; ephemeral containers have one more field. */
const container = object(
  "One container.",
  {
    name: text("Name; unique in the pod."),
    image: text("Image."),
    command: list("What is started.", text("A word.")),
    args: list("Its arguments.", text("A word.")),
    workingDir: text("Where it is started."),
    ports: list("Its ports.", port, mergedBy("containerPort")),
    envFrom: list("Environment from other objects.", open("A source.")),
    env: list(
      "Environment.",
      object(
        "A variable.",
        {
          name: text("Name."),
          value: text("Value."),
          valueFrom: open("Where the value comes from."),
        },
        { required: ["name"] },
      ),
      mergedBy("name"),
    ),
    resources: object("What it needs.", {
      limits: map("At most.", quantity),
      requests: map("At least.", quantity),
      claims: list("Claims.", open("A claim."), {
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
      }),
    }),
    resizePolicy: list("What a resize needs.", open("A policy.")),
    restartPolicy: text("Always, for init containers that go on."),
    volumeMounts: list("Volumes.", open("A mount."), mergedBy("mountPath")),
    volumeDevices: list("Devices.", open("A device."), mergedBy("devicePath")),
    livenessProbe: open("Is it alive?"),
    readinessProbe: open("Is it ready?"),
    startupProbe: open("Has it started?"),
    lifecycle: open("What is called at its start and end."),
    terminationMessagePath: text("File with its last words.", {
      default: "/dev/termination-log",
    }),
    terminationMessagePolicy: text("File or FallbackToLogsOnError.", { default: "File" }),
    imagePullPolicy: text("Always, Never or IfNotPresent."),
    securityContext: open("Rights."),
    stdin: boolean("True = it has an input."),
    stdinOnce: boolean("True = the input ends with its first user."),
    tty: boolean("True = it has a terminal."),
    targetContainerName: text("Of an ephemeral container: the one that it looks at."),
  },
  { required: ["name"] },
);

/** core/v1 PodSpec. */
const SPEC_FIELDS: Readonly<Record<string, Schema>> = {
  volumes: list("Volumes.", open("A volume."), mergedBy("name")),
  initContainers: list("What runs first.", container, mergedBy("name")),
  containers: list("What runs.", container, mergedBy("name")),
  ephemeralContainers: list("What was added to look at it.", container, mergedBy("name")),
  restartPolicy: text("Always, OnFailure or Never.", { default: "Always" }),
  terminationGracePeriodSeconds: { ...int64("Seconds to end."), default: 30 },
  activeDeadlineSeconds: int64("Seconds it may run."),
  dnsPolicy: text("ClusterFirst, ClusterFirstWithHostNet, Default or None.", {
    default: "ClusterFirst",
  }),
  nodeSelector: map("Labels of its node.", text("A value."), {
    "x-kubernetes-map-type": "atomic",
  }),
  serviceAccountName: text("Its account."),
  serviceAccount: text("The old name of serviceAccountName."),
  automountServiceAccountToken: boolean("False = no token."),
  nodeName: text("Its node."),
  hostNetwork: boolean("True = the network of the node."),
  hostPID: boolean("True = the processes of the node."),
  hostIPC: boolean("True = the IPC of the node."),
  shareProcessNamespace: boolean("True = its containers see one another."),
  securityContext: { ...open("Rights."), default: {} },
  imagePullSecrets: list(
    "Secrets for images.",
    object("A Secret.", { name: text("Its name.") }),
    mergedBy("name"),
  ),
  hostname: text("Host name; default: the name of the pod."),
  subdomain: text("Subdomain below the namespace."),
  affinity: open("Where it likes to run."),
  schedulerName: text("Who schedules it.", { default: "default-scheduler" }),
  tolerations: list("Taints that it bears.", open("A toleration.")),
  hostAliases: list("Lines of its hosts file.", open("A line."), mergedBy("ip")),
  priorityClassName: text("Class of its priority."),
  priority: int32("Its priority."),
  dnsConfig: open("Settings of its resolver."),
  readinessGates: list(
    "Conditions that it needs to be ready.",
    object("A gate.", { conditionType: text("Type of the condition.") }),
  ),
  runtimeClassName: text("Class of its runtime."),
  enableServiceLinks: boolean("False = no variables of Services.", { default: true }),
  preemptionPolicy: text("PreemptLowerPriority or Never."),
  overhead: map("What its runtime needs.", quantity),
  topologySpreadConstraints: list(
    "How it is spread.",
    open("A constraint."),
    mergedBy("topologyKey"),
  ),
  setHostnameAsFQDN: boolean("True = the host name is the full one."),
  os: open("Its operating system."),
  hostUsers: boolean("False = users of its own."),
  schedulingGates: list("What holds it back.", open("A gate."), mergedBy("name")),
  resourceClaims: list("Claims.", open("A claim."), mergedBy("name")),
  resources: open("What the whole pod needs."),
};
const spec = object("What is wanted.", SPEC_FIELDS, { required: ["containers"] });

const condition = object("One condition.", {
  type: text("Kind of the condition."),
  status: text("True, False or Unknown."),
  observedGeneration: int64("Generation that it is about."),
  lastProbeTime: { ...time("When it was looked at last."), nullable: true },
  lastTransitionTime: { ...time("When the status changed last."), nullable: true },
  reason: text("Machine readable cause."),
  message: text("For people."),
});

const containerStatuses = (description: string): Schema => list(description, open("A state."));

/** core/v1 PodStatus. */
const status = object("What is.", {
  observedGeneration: int64("The generation that this is about."),
  phase: text("Pending, Running, Succeeded, Failed or Unknown."),
  conditions: list("Conditions.", condition, mergedBy("type")),
  message: text("For people."),
  reason: text("Machine readable cause."),
  nominatedNodeName: text("The node that may be emptied for it."),
  hostIP: text("Address of its node."),
  hostIPs: list("All of them.", object("One.", { ip: text("Address.") }), mergedBy("ip")),
  podIP: text("Its address."),
  podIPs: list("All of them.", object("One.", { ip: text("Address.") }), mergedBy("ip")),
  startTime: time("When its node took it."),
  initContainerStatuses: containerStatuses("States of what runs first."),
  containerStatuses: containerStatuses("States of what runs."),
  ephemeralContainerStatuses: containerStatuses("States of what was added."),
  qosClass: text("Guaranteed, Burstable or BestEffort."),
  resize: text("State of a resize."),
  resourceClaimStatuses: list("States of its claims.", open("A state."), mergedBy("name")),
});

/** The whole. */
export const POD_SCHEMA: Schema = object("Containers that run together.", { spec, status });
