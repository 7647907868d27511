/**
 * core/v1 Service. Nothing routes traffic here: a cluster IP is given out because objects have one,
 * node ports only where the user names them.
 */
import { SERVICE } from "../../objects/kinds.ts";
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
import { AGE_COLUMN, column, columnAt, NAME_COLUMN, WIDE } from "../objects/columns.ts";
import type { AdmitContext, StoredObject } from "../objects/served-kind.ts";
import { builtInKind, selectableAt } from "./built-in-kind.ts";
import { SERVICE_RULES } from "./service-rules.ts";

/** A Service; those of type LoadBalancer are sources of DNS names. */
export const SERVICE_KIND = builtInKind(SERVICE, {
  shortNames: ["svc"],
  categories: ["all"],
  hasStatus: true,
  deletionShows: "object",
  nameRule: "label-1035",
  columns: [
    NAME_COLUMN,
    columnAt("Type", ".spec.type"),
    columnAt("Cluster-IP", ".spec.clusterIP", { empty: "<none>" }),
    column("External-IP", externalAddresses),
    column(
      "Port(s)",
      (service) => listAt(service, "spec", "ports").map(portText).join(",") || "<none>",
    ),
    AGE_COLUMN,
    column("Selector", (service) => pairs(objectAt(service, "spec", "selector")), WIDE),
  ],
  selectable: selectableAt("spec.clusterIP", "spec.type"),
  unique: {
    field: "spec.clusterIP",
    valueOf: (service) => {
      const address = textAt(service, "spec", "clusterIP");
      return address === "" || address === "None" ? null : address;
    },
  },
  defaults: withDefaults,
  admit: admitService,
  check: SERVICE_RULES,
});

/** pkg/apis/core/v1/defaults.go SetDefaults_Service; a field that the user set is never changed. */
function withDefaults(service: StoredObject): StoredObject {
  const given = objectAt(service, "spec");
  const ports = listAt(given, "ports").map((each) =>
    isObject(each) && [undefined, 0, ""].some((none) => each["targetPort"] === none)
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
  return withModes({ ...service, spec });
}

/** Addresses of a load balancer are its own unless it says otherwise (the same file). */
function withModes(service: StoredObject): StoredObject {
  const given = listAt(service, "status", "loadBalancer", "ingress");
  if (textAt(service, "spec", "type") !== "LoadBalancer" || given.length === 0) return service;
  const ingress = given.map((each) =>
    isObject(each) && textAt(each, "ip") !== "" ? { ipMode: "VIP", ...each } : each,
  );
  const loadBalancer = { ...objectAt(service, "status", "loadBalancer"), ingress };
  return { ...service, status: { ...objectAt(service, "status"), loadBalancer } };
}

/**
 * Seconds that a client sticks when the Service does not say how many (core/v1
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
  const isOpen = clusterIP === "None" && Object.keys(objectAt(wanted, "selector")).length === 0;
  const families = isOpen ? ANY_FAMILY : IPV4;
  return { ...service, spec: { ...families, ...wanted, clusterIP, clusterIPs }, status };
}

const IPV4 = { ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" };
/**
 * Without address and selector, endpoints may be of any family (registry/core/service/storage
 * alloc.go initIPFamilyFields).
 */
const ANY_FAMILY = { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" };

const EXPOSED = ["NodePort", "LoadBalancer"];

/**
 * A policy that came with an exposed type goes with it (registry/core/service/strategy.go
 * dropTypeDependentFields).
 */
function withoutStalePolicy(spec: JsonObject, previous: StoredObject | null): JsonObject {
  const had = textAt(previous, "spec", "externalTrafficPolicy");
  const isStale = had !== "" && textAt(spec, "externalTrafficPolicy") === had;
  const isDropped = !EXPOSED.includes(textAt(spec, "type")) && isStale;
  return isDropped ? without(spec, "externalTrafficPolicy") : spec;
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
