/**
 * The list of sources with `--dialect external-dns`, in place of that of `index.ts`: what
 * external-dns reads, as it reads it.
 */
import { ENDPOINT_SLICE, INGRESS, NODE, POD, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import {
  DNS_ANNOTATION,
  HTTP_PROXY,
  INGRESS_ROUTE,
  INGRESS_ROUTE_TCP,
  INGRESS_ROUTE_UDP,
  ISTIO_GATEWAY,
  markerKindOf,
  OPENSHIFT_ROUTE,
  ROUTE_GROUP,
  VIRTUAL_SERVICE,
} from "../model/kinds.ts";
import { ingress } from "./externaldns/ingress.ts";
import { istioGateway } from "./externaldns/istio-gateway.ts";
import { istioVirtualService } from "./externaldns/istio-virtual-service.ts";
import { node } from "./externaldns/node.ts";
import {
  contourHttpProxy,
  openshiftRoute,
  skipperRouteGroup,
  traefikProxy,
} from "./externaldns/proxies.ts";
import { service } from "./externaldns/service.ts";
import { SOURCES } from "./index.ts";
import type { SourceRow } from "./source.ts";

const EXTERNAL = { secondary: [], isDefault: false, inDev: true, publishes: "direct" } as const;

/** external-dns has one source for the three kinds. */
const TRAEFIK = { ...EXTERNAL, inDev: false, open: traefikProxy } as const;

/** In place of the list with `--dialect external-dns`; the names are those of its markers. */
export const EXTERNAL_DNS_SOURCES: readonly SourceRow[] = [
  ...SOURCES.filter(({ publishes }) => publishes === "itself"),
  {
    ...EXTERNAL,
    name: markerKindOf(SERVICE),
    primary: SERVICE,
    // A cluster has many Pods, and few Services that are published by them.
    onDemand: [
      { kind: ENDPOINT_SLICE, keptFields: ["metadata.labels", "addressType", "endpoints"] },
      { kind: POD, keptFields: ["spec.hostname", "spec.nodeName", "status.hostIP"] },
      { kind: NODE, keptFields: ["spec.unschedulable", "status.addresses"] },
    ],
    doc: "the annotated names of Services, with what their type reports",
    open: service,
  },
  {
    ...EXTERNAL,
    name: markerKindOf(INGRESS),
    primary: INGRESS,
    doc: "hosts and annotated names of Ingresses",
    open: ingress,
  },
  {
    ...EXTERNAL,
    name: "istio-gateway",
    primary: ISTIO_GATEWAY,
    secondary: [SERVICE, INGRESS],
    inDev: false,
    doc: "the hosts of Gateways of Istio, with the addresses of the Services that they select",
    open: istioGateway,
  },
  {
    ...EXTERNAL,
    name: "istio-virtualservice",
    primary: VIRTUAL_SERVICE,
    secondary: [ISTIO_GATEWAY, SERVICE, INGRESS],
    nameFields: ["spec.hosts"],
    inDev: false,
    doc: "the hosts of VirtualServices of Istio, with the addresses of the Gateways that have them",
    open: istioVirtualService,
  },
  {
    ...EXTERNAL,
    name: "contour-httpproxy",
    primary: HTTP_PROXY,
    nameFields: ["spec.virtualhost.fqdn"],
    inDev: false,
    doc: "the hosts of HTTPProxies of Contour, with their load balancer",
    open: contourHttpProxy,
  },
  {
    ...EXTERNAL,
    name: "openshift-route",
    primary: OPENSHIFT_ROUTE,
    nameFields: ["spec.host"],
    inDev: false,
    doc: "the hosts of Routes of OpenShift, as aliases of the router that admits them",
    open: openshiftRoute,
  },
  {
    ...EXTERNAL,
    name: "skipper-routegroup",
    primary: ROUTE_GROUP,
    nameFields: ["spec.hosts"],
    inDev: false,
    doc: "the hosts of RouteGroups of Skipper, with their load balancer",
    open: skipperRouteGroup,
  },
  {
    ...TRAEFIK,
    name: "traefik-proxy",
    primary: INGRESS_ROUTE,
    doc: "the hosts in rules of Traefik's IngressRoutes, with their annotation target",
  },
  {
    ...TRAEFIK,
    name: "traefik-proxy-tcp",
    primary: INGRESS_ROUTE_TCP,
    doc: "the same of IngressRouteTCPs; goes with traefik-proxy",
  },
  {
    ...TRAEFIK,
    name: "traefik-proxy-udp",
    primary: INGRESS_ROUTE_UDP,
    doc: "the same of IngressRouteUDPs, which have annotated names alone; goes with traefik-proxy",
  },
  {
    ...EXTERNAL,
    name: markerKindOf(NODE),
    primary: NODE,
    doc: "the names of Nodes, with their addresses",
    open: node,
  },
  ...SOURCES.filter(({ name }) => name === "crd" || name.startsWith("gateway-")).map(
    // Flags may select by labels, so that objects are kept whole.
    ({ keptFields: _, ...row }) => ({ ...row, secondary: row.secondary.filter(isNoAnnotation) }),
  ),
];

function isNoAnnotation(kind: KindRef): boolean {
  return kind !== DNS_ANNOTATION;
}
