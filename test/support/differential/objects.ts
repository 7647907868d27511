/** Objects of random worlds; each comes with those that it needs. */
import {
  ENDPOINT_SLICE,
  INGRESS,
  NAMESPACE,
  NODE,
  POD,
  SERVICE,
} from "@zonekeeper/kube/objects/kinds";
import { apiVersionOf, type KindRef, type KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import {
  DNS_ENDPOINT,
  GATEWAY,
  HTTP_ROUTE,
  ISTIO_GATEWAY,
  VIRTUAL_SERVICE,
} from "../../../src/model/kinds.ts";
import { ADDRESSES, type Chance, HOSTS, prefixed } from "./chance.ts";

/** One object, with its status. */
export interface Located {
  readonly kind: KindRef;
  readonly object: KubeObject;
}

/** Kinds of their objects, those that others name first. */
export const KINDS: readonly KindRef[] = [
  ...[NAMESPACE, NODE, POD, ENDPOINT_SLICE, SERVICE, INGRESS, DNS_ENDPOINT],
  ...[GATEWAY, HTTP_ROUTE, ISTIO_GATEWAY, VIRTUAL_SERVICE],
];

/** The publishing object with this number in its world. */
export function objectsOf(chance: Chance, at: number): readonly Located[] {
  const luck = chance.luck();
  if (luck < 0.4) return service(chance, `s${at}`);
  if (luck < 0.6) return [ingress(chance, `i${at}`)];
  if (luck < 0.75) return [endpoints(chance, `e${at}`)];
  return luck < 0.88 ? route(chance, `r${at}`) : mesh(chance, `m${at}`);
}

function service(chance: Chance, name: string): readonly Located[] {
  const type = chance.pick([
    "LoadBalancer",
    "LoadBalancer",
    "LoadBalancer",
    "ClusterIP",
    "ExternalName",
    "NodePort",
    "Headless",
  ]);
  // A Pod's name below a wildcard is no name.
  const isHeadless = type === "Headless";
  const of = (most: number) =>
    chance.names(most).filter((one) => !isHeadless || !one.includes("*"));
  const names = {
    ...(chance.happens(0.9) ? { hostname: of(2).join(chance.pick([",", ", "])) } : {}),
    ...(chance.happens(0.15) ? { "internal-hostname": of(1).join() } : {}),
  };
  const annotations =
    type === "NodePort" && chance.happens(0.5)
      ? { ...names, access: chance.pick(["public", "private"]) }
      : names;
  const metadata = chance.metadata(name, annotations);
  const clusterIP = `10.9.${chance.seed % 250}.${1 + chance.below(250)}`;
  const port = { name: "http", port: 80, protocol: "TCP" };
  const serving = (spec: object, status: object = { loadBalancer: {} }): Located =>
    made(SERVICE, metadata, { spec, status });
  const external = chance.happens(0.15) ? { externalIPs: chance.some(ADDRESSES, 2) } : {};
  switch (type) {
    case "LoadBalancer":
      return [serving({ type, clusterIP, ports: [port], ...external }, chance.balanced())];
    case "ExternalName":
      return [serving({ type, externalName: chance.pick([...HOSTS, "192.0.2.9"]), ...external })];
    case "NodePort":
      return [serving({ type, clusterIP, ports: [{ ...port, nodePort: 30_080 }] })];
    case "Headless":
      return headless(
        chance,
        serving({ type: "ClusterIP", clusterIP: "None", ports: [port], selector: { app: name } }),
      );
    default:
      return [serving({ type, clusterIP, ports: [port], ...external })];
  }
}

/** With its Pods, of which one may not be ready. */
function headless(chance: Chance, service: Located): readonly Located[] {
  const { name, namespace = "" } = service.object.metadata;
  const pods = Array.from({ length: 1 + chance.below(2) }, (_, at): KubeObject => {
    const spec = {
      nodeName: "n1",
      containers: [{ name: "c", image: "c" }],
      ...(chance.happens(0.5) ? { hostname: `p${at}` } : {}),
    };
    const metadata = { name: `${name}-${at}`, namespace, labels: { app: name } };
    return { apiVersion: "v1", kind: "Pod", metadata, spec, status: { hostIP: "10.0.0.1" } };
  });
  const endpoints = pods.map(({ metadata }, at) => ({
    addresses: [`10.1.${at}.${1 + chance.below(200)}`],
    conditions: { ready: !chance.happens(0.2) },
    targetRef: { kind: "Pod", name: metadata.name, namespace },
  }));
  const labels = { "kubernetes.io/service-name": name };
  const slice: KubeObject = {
    ...{ apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", addressType: "IPv4" },
    ...{ metadata: { name: `${name}-x`, namespace, labels }, endpoints },
  };
  return [
    ...pods.map((object): Located => ({ kind: POD, object })),
    { kind: ENDPOINT_SLICE, object: slice },
    service,
  ];
}

function ingress(chance: Chance, name: string): Located {
  const names = {
    ...(chance.happens(0.25) ? { hostname: chance.names().join() } : {}),
    ...(chance.happens(0.1)
      ? { "ingress-hostname-source": chance.pick(["annotation-only", "defined-hosts-only"]) }
      : {}),
  };
  const tls = chance.happens(0.3) ? { tls: [{ hosts: chance.names() }] } : {};
  const backend = { service: { name: "web", port: { number: 80 } } };
  const http = { paths: [{ path: "/", pathType: "Prefix", backend }] };
  const rules = chance.names().map((host) => ({ host, http }));
  const object: KubeObject = {
    ...{ apiVersion: "networking.k8s.io/v1", kind: "Ingress" },
    metadata: chance.metadata(name, names),
    spec: { rules, ...tls },
    status: chance.balanced(),
  };
  return { kind: INGRESS, object };
}

/** An HTTPRoute and its Gateway, which may not accept it or have no address yet. */
function route(chance: Chance, name: string): readonly Located[] {
  const metadata = chance.metadata(name, {});
  const { namespace } = metadata;
  const host = chance.pick(["", "", `*.${chance.domain}`, ...chance.names(1)]);
  const allowedRoutes = { namespaces: { from: chance.pick(["All", "Same"]) } };
  const listener = {
    ...{ name: "web", port: 80, protocol: "HTTP", allowedRoutes },
    ...(host === "" ? {} : { hostname: host }),
  };
  const target = chance.happens(0.15) ? { target: chance.targets().join() } : {};
  const addresses = chance.happens(0.1) ? [] : chance.targets().map((value) => ({ value }));
  const parentRef = { name: `g${name}`, namespace };
  const status = chance.happens(0.9) ? "True" : "False";
  const conditions = [{ type: "Accepted", status }];
  return [
    made(
      GATEWAY,
      { name: `g${name}`, namespace, annotations: prefixed(target) },
      { spec: { gatewayClassName: "x", listeners: [listener] }, status: { addresses } },
    ),
    made(HTTP_ROUTE, metadata, {
      spec: {
        parentRefs: [parentRef],
        ...(chance.happens(0.9) ? { hostnames: chance.names() } : {}),
      },
      status: { parents: [{ controllerName: "x/y", parentRef, conditions }] },
    }),
  ];
}

/** A Gateway of Istio with the Service that it selects, and perhaps a VirtualService. */
function mesh(chance: Chance, name: string): readonly Located[] {
  const metadata = chance.metadata(`g${name}`, {});
  const { namespace } = metadata;
  const selector = { istio: `${namespace}-${name}` };
  const port = { number: 80, name: "http", protocol: "HTTP" };
  const wild = chance.happens(0.3) ? [`*.${chance.domain}`] : chance.names();
  const gateway = { selector, servers: [{ port, hosts: chance.happens(0.3) ? ["*"] : wild }] };
  const hosts = chance.names();
  const bound = { hosts, gateways: [`${namespace}/g${name}`] };
  return [
    made(
      SERVICE,
      { name: `x${name}`, namespace },
      { spec: { type: "LoadBalancer", selector }, status: chance.balanced() },
    ),
    made(ISTIO_GATEWAY, metadata, { spec: gateway }),
    ...(chance.happens(0.6)
      ? [made(VIRTUAL_SERVICE, { ...chance.metadata(name, {}), namespace }, { spec: bound })]
      : []),
  ];
}

function endpoints(chance: Chance, name: string): Located {
  const endpoints = Array.from({ length: 1 + chance.below(2) }, () => {
    const recordType = chance.pick(["A", "A", "AAAA", "CNAME", "TXT"]);
    const ttl = chance.happens(0.4) ? { recordTTL: chance.pick([60, 120, 300]) } : {};
    const targets: Readonly<Record<string, readonly string[]>> = {
      A: chance.some(
        ADDRESSES.filter((one) => !one.includes(":")),
        2,
      ),
      AAAA: chance.some(
        ADDRESSES.filter((one) => one.includes(":")),
        2,
      ),
      CNAME: [chance.pick(HOSTS)],
      TXT: ["hello"],
    };
    return {
      dnsName: chance.names(1).join(),
      recordType,
      targets: targets[recordType] ?? [],
      ...ttl,
    };
  });
  const { annotations: _, ...metadata } = chance.metadata(name, {});
  const object = {
    apiVersion: "externaldns.k8s.io/v1alpha1",
    kind: "DNSEndpoint",
    metadata,
    spec: { endpoints },
  };
  return { kind: DNS_ENDPOINT, object };
}

function made(kind: KindRef, metadata: KubeObject["metadata"], rest: object): Located {
  return { kind, object: { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...rest } };
}
