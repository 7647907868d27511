/**
 * core/v1 Service. Nothing routes traffic here: a cluster IP is given out because objects have one,
 * node ports only where the user names them.
 */
import { SERVICE } from "../../../model/kinds.ts";
import {
  defined,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
  valueAt,
  without,
} from "../json/json.ts";
import { AGE_COLUMN, column, NAME_COLUMN } from "../objects/columns.ts";
import {
  type AdmitContext,
  PLAIN_KIND,
  type ServedKind,
  type StoredObject,
} from "../objects/served-kind.ts";
import { boolean, integer, list, map, mergedBy, object, text, time } from "../schema/schema.ts";
import { checkService } from "./service-check.ts";

/** core/v1 ServicePort. */
const port = object(
  "One port.",
  {
    name: text("Name; needed when there are several ports."),
    protocol: text("TCP, UDP or SCTP.", { default: "TCP" }),
    appProtocol: text("Application protocol, as a hint."),
    port: integer("The port that is exposed.", { format: "int32" }),
    targetPort: {
      description: "Port or port name of the pods.",
      "x-kubernetes-int-or-string": true,
    },
    nodePort: integer("Port on each node.", { format: "int32" }),
  },
  { required: ["port"] },
);

/** core/v1 LoadBalancerIngress. */
const loadBalancerIngress = object("One address of the load balancer.", {
  ip: text("IP address."),
  hostname: text("Host name."),
  ipMode: text("VIP or Proxy."),
  ports: list(
    "State of each port.",
    object("A port.", {
      port: integer("Port number.", { format: "int32" }),
      protocol: text("TCP, UDP or SCTP."),
      error: text("What is wrong with it."),
    }),
  ),
});

const condition = object("One condition.", {
  type: text("Kind of the condition."),
  status: text("True, False or Unknown."),
  observedGeneration: integer("Generation that it is about.", { format: "int64" }),
  lastTransitionTime: time("When the status changed last."),
  reason: text("Machine readable cause."),
  message: text("For people."),
});

/** core/v1 ServiceSpec. */
const spec = object("What is wanted.", {
  type: text("ClusterIP, NodePort, LoadBalancer or ExternalName.", { default: "ClusterIP" }),
  selector: map("Labels of the pods.", text("A label value."), {
    "x-kubernetes-map-type": "atomic",
  }),
  // core/v1 ServiceSpec.ports: +listType=map, +listMapKey=port, +listMapKey=protocol,
  // patchMergeKey=port.
  ports: list("The ports.", port, {
    ...mergedBy("port"),
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["port", "protocol"],
  }),
  clusterIP: text("Address inside the cluster; None = headless."),
  clusterIPs: list("All addresses inside the cluster.", text("An address.")),
  externalIPs: list("Addresses that are routed to the nodes.", text("An address.")),
  externalName: text("What a Service of type ExternalName is an alias of."),
  sessionAffinity: text("ClientIP or None.", { default: "None" }),
  sessionAffinityConfig: object("Settings of the session affinity.", {
    clientIP: object("For ClientIP.", {
      timeoutSeconds: integer("How long a client sticks.", { format: "int32" }),
    }),
  }),
  loadBalancerIP: text("Address that the load balancer shall have."),
  loadBalancerSourceRanges: list("Who may use the load balancer.", text("A CIDR.")),
  loadBalancerClass: text("Which load balancer implementation."),
  allocateLoadBalancerNodePorts: boolean("False = no node ports for a load balancer."),
  externalTrafficPolicy: text("Cluster or Local."),
  internalTrafficPolicy: text("Cluster or Local."),
  healthCheckNodePort: integer("Node port of the health check.", { format: "int32" }),
  publishNotReadyAddresses: boolean("True = DNS also has pods that are not ready."),
  ipFamilies: list("IPv4, IPv6.", text("An address family.")),
  ipFamilyPolicy: text("SingleStack, PreferDualStack or RequireDualStack."),
  trafficDistribution: text("Which endpoints are preferred."),
});

/** A Service; those of type LoadBalancer are sources of DNS names. */
export const SERVICE_KIND: ServedKind = {
  ...PLAIN_KIND,
  ref: SERVICE,
  singular: "service",
  shortNames: ["svc"],
  categories: ["all"],
  hasStatus: true,
  deletionShows: "object",
  nameRule: "label-1035",
  schema: object("A service behind one address or name.", {
    spec,
    status: object("What is.", {
      loadBalancer: object("The load balancer.", {
        ingress: list("Its addresses.", loadBalancerIngress),
      }),
      conditions: list("Conditions.", condition, mergedBy("type")),
    }),
  }),
  columns: [
    NAME_COLUMN,
    column("Type", (service) => textAt(service, "spec", "type")),
    column("Cluster-IP", (service) => textAt(service, "spec", "clusterIP") || "<none>"),
    column("External-IP", externalAddresses),
    column(
      "Port(s)",
      (service) => listAt(service, "spec", "ports").map(portText).join(",") || "<none>",
    ),
    AGE_COLUMN,
    column("Selector", (service) => pairs(objectAt(service, "spec", "selector")), { priority: 1 }),
  ],
  selectable: {
    "spec.clusterIP": (service) => textAt(service, "spec", "clusterIP"),
    "spec.type": (service) => textAt(service, "spec", "type"),
  },
  unique: {
    field: "spec.clusterIP",
    valueOf: (service) => {
      const address = textAt(service, "spec", "clusterIP");
      return address === "" || address === "None" ? null : address;
    },
  },
  defaults: withDefaults,
  admit: admitService,
  check: checkService,
};

/** pkg/apis/core/v1/defaults.go SetDefaults_Service; a field that the user set is never changed. */
function withDefaults(service: StoredObject): StoredObject {
  const given = objectAt(service, "spec");
  const ports = listAt(given, "ports").map((each) =>
    isObject(each) && each["targetPort"] === undefined
      ? { ...each, targetPort: each["port"] }
      : each,
  );
  const type = textAt(given, "type");
  const spec = defined({
    ...(type === "ExternalName" ? {} : { internalTrafficPolicy: "Cluster" }),
    ...(EXPOSED.includes(type) ? { externalTrafficPolicy: "Cluster" } : {}),
    ...(type === "LoadBalancer" ? { allocateLoadBalancerNodePorts: true } : {}),
    ...given,
    ...(ports.length > 0 ? { ports } : {}),
    ...affinityOf(given),
  });
  return { ...service, spec };
}

/**
 * Seconds that a client sticks when nobody says how many (core/v1
 * DefaultClientIPServiceAffinitySeconds).
 */
const STICKY_SECONDS = 10_800;

/** Settings of the affinity that is wanted; undefined = those of none go. */
function affinityOf(spec: JsonObject): JsonObject {
  if (textAt(spec, "sessionAffinity") !== "ClientIP") return { sessionAffinityConfig: undefined };
  const timeoutSeconds = valueAt(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds");
  const clientIP = { timeoutSeconds: timeoutSeconds ?? STICKY_SECONDS };
  return { sessionAffinityConfig: { clientIP } };
}

/** Fills in what Kubernetes would give out; a field that the user set is never changed. */
function admitService(
  service: StoredObject,
  previous: StoredObject | null,
  context: AdmitContext,
): StoredObject {
  const wanted = withoutStalePolicy(objectAt(service, "spec"), previous);
  const status = { loadBalancer: {}, ...objectAt(service, "status") };
  if (textAt(wanted, "type") === "ExternalName") return { ...service, spec: wanted, status };
  const clusterIP = clusterIpOf(wanted, previous, context);
  const clusterIPs = [clusterIP, ...listAt(wanted, "clusterIPs").slice(1)];
  const families = { ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" };
  return { ...service, spec: { ...families, ...wanted, clusterIP, clusterIPs }, status };
}

const EXPOSED = ["NodePort", "LoadBalancer"];

/**
 * A policy that came with an exposed type goes with it (registry/core/service/strategy.go
 * dropTypeDependentFields).
 */
function withoutStalePolicy(spec: JsonObject, previous: StoredObject | null): JsonObject {
  const had = textAt(previous, "spec", "externalTrafficPolicy");
  const isStale = had !== "" && textAt(spec, "externalTrafficPolicy") === had;
  const isLeaving = !EXPOSED.includes(textAt(spec, "type")) && isStale;
  return isLeaving ? without(spec, "externalTrafficPolicy") : spec;
}

/**
 * Host parts of 10.96.0.0/12, the range that kubeadm gives Services, less the first and the last
 * few.
 */
const HOST_FIRST = 16;
const HOSTS = 2 ** 20 - 32;

/**
 * The address that is asked for, else the one it has, else a free one; `None` when all are taken.
 */
function clusterIpOf(spec: unknown, previous: StoredObject | null, context: AdmitContext): string {
  const asked = textAt(spec, "clusterIP");
  const had = textAt(previous, "spec", "clusterIP");
  if (asked !== "") return asked;
  if (had !== "") return had;
  const start = Math.floor(context.random() * HOSTS);
  for (let step = 0; step < HOSTS; step += 1) {
    const host = HOST_FIRST + ((start + step) % HOSTS);
    const address = `10.${96 + (host >> 16)}.${(host >> 8) & 255}.${host & 255}`;
    if (!context.isTaken(address)) return address;
  }
  return "None";
}

/** What kubectl shows under EXTERNAL-IP. */
function externalAddresses(service: StoredObject): string {
  const type = textAt(service, "spec", "type");
  if (type === "ExternalName") return textAt(service, "spec", "externalName");
  const fixed = listAt(service, "spec", "externalIPs").map(String);
  const given = listAt(service, "status", "loadBalancer", "ingress").map(
    (each) => textAt(each, "ip") || textAt(each, "hostname"),
  );
  const all = type === "LoadBalancer" ? [...given, ...fixed] : fixed;
  return all.join(",") || (type === "LoadBalancer" ? "<pending>" : "<none>");
}

/** `80/TCP`, `80:30080/TCP`. */
function portText(value: unknown): string {
  const node = valueAt(value, "nodePort");
  const middle = typeof node === "number" && node > 0 ? `:${node}` : "";
  return `${String(valueAt(value, "port"))}${middle}/${textAt(value, "protocol")}`;
}

/** `a=1,b=2`. */
function pairs(labels: object): string {
  return (
    Object.entries(labels)
      .map(([key, value]) => `${key}=${String(value)}`)
      .sort()
      .join(",") || "<none>"
  );
}
