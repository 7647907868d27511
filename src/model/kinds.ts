/** The kinds beyond Kubernetes itself that this program reads or writes, spelled once. */
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { groupOf } from "@zonekeeper/kube/objects/object-fields";
import type { ObjectKey } from "./provenance.ts";

const gardener = (kind: string, plural: string): KindRef => ({
  group: "dns.gardener.cloud",
  version: "v1alpha1",
  kind,
  plural,
  namespaced: true,
});

/** externaldns.k8s.io/v1alpha1 DNSEndpoint. */
export const DNS_ENDPOINT: KindRef = {
  group: "externaldns.k8s.io",
  version: "v1alpha1",
  kind: "DNSEndpoint",
  plural: "dnsendpoints",
  namespaced: true,
};

/**
 * The kind as markers spell it: external-dns names DNSEndpoints after its source, `crd`; others by
 * their kind, in small letters but for HTTPProxy.
 */
export function markerKindOf({ group, kind }: Pick<KindRef, "group" | "kind">): string {
  if (group === DNS_ENDPOINT.group && kind === DNS_ENDPOINT.kind) return "crd";
  return group === HTTP_PROXY.group ? kind : kind.toLowerCase();
}

/** The same of a kind that a person has written in small letters. */
export function markerKindNamed(text: string): string {
  const kind = [DNS_ENDPOINT, HTTP_PROXY].find((one) => one.kind.toLowerCase() === text);
  return kind === undefined ? text : markerKindOf(kind);
}

/** A kind of Gateway API, of whose versions only v1 is read. */
const gatewayApi = (kind: string, plural: string): KindRef => ({
  group: "gateway.networking.k8s.io",
  version: "v1",
  kind,
  plural,
  namespaced: true,
});

/** gateway.networking.k8s.io/v1 Gateway. */
export const GATEWAY = gatewayApi("Gateway", "gateways");
/** gateway.networking.k8s.io/v1 ListenerSet. */
export const LISTENER_SET = gatewayApi("ListenerSet", "listenersets");
/** gateway.networking.k8s.io/v1 HTTPRoute. */
export const HTTP_ROUTE = gatewayApi("HTTPRoute", "httproutes");
/** gateway.networking.k8s.io/v1 GRPCRoute. */
export const GRPC_ROUTE = gatewayApi("GRPCRoute", "grpcroutes");
/** gateway.networking.k8s.io/v1 TLSRoute. */
export const TLS_ROUTE = gatewayApi("TLSRoute", "tlsroutes");
/** gateway.networking.k8s.io/v1 TCPRoute. */
export const TCP_ROUTE = gatewayApi("TCPRoute", "tcproutes");
/** gateway.networking.k8s.io/v1 UDPRoute. */
export const UDP_ROUTE = gatewayApi("UDPRoute", "udproutes");

/** A kind of Istio, of whose versions only v1 is read. */
const istio = (kind: string, plural: string): KindRef => ({
  group: "networking.istio.io",
  version: "v1",
  kind,
  plural,
  namespaced: true,
});

/** networking.istio.io/v1 ServiceEntry. What was imported is none of the source. */
export const SERVICE_ENTRY: KindRef = {
  ...istio("ServiceEntry", "serviceentries"),
  keepsSpecManagers: true,
};
/** networking.istio.io/v1 Gateway. */
export const ISTIO_GATEWAY = istio("Gateway", "gateways");
/** networking.istio.io/v1 VirtualService. */
export const VIRTUAL_SERVICE = istio("VirtualService", "virtualservices");

/** A kind of a proxy. */
const proxied = (group: string, kind: string, plural: string): KindRef => ({
  ...{ group, version: "v1", kind, plural },
  namespaced: true,
});

/** projectcontour.io/v1 HTTPProxy. */
export const HTTP_PROXY = proxied("projectcontour.io", "HTTPProxy", "httpproxies");
/** zalando.org/v1 RouteGroup. */
export const ROUTE_GROUP = proxied("zalando.org", "RouteGroup", "routegroups");
/** route.openshift.io/v1 Route. */
export const OPENSHIFT_ROUTE = proxied("route.openshift.io", "Route", "routes");

/** A router of Traefik 3; the kinds of traefik.containo.us ended with Traefik 2. */
const traefik = (kind: string, plural: string): KindRef => ({
  ...proxied("traefik.io", kind, plural),
  version: "v1alpha1",
});

/** traefik.io/v1alpha1 IngressRoute. */
export const INGRESS_ROUTE = traefik("IngressRoute", "ingressroutes");
/** traefik.io/v1alpha1 IngressRouteTCP. */
export const INGRESS_ROUTE_TCP = traefik("IngressRouteTCP", "ingressroutetcps");
/** traefik.io/v1alpha1 IngressRouteUDP. */
export const INGRESS_ROUTE_UDP = traefik("IngressRouteUDP", "ingressrouteudps");

/** dns.gardener.cloud/v1alpha1 DNSProvider. */
export const DNS_PROVIDER = gardener("DNSProvider", "dnsproviders");
/** dns.gardener.cloud/v1alpha1 DNSEntry. Others edit those that a source has made (Z-25). */
export const DNS_ENTRY: KindRef = {
  ...gardener("DNSEntry", "dnsentries"),
  keepsSpecManagers: true,
};
/** dns.gardener.cloud/v1alpha1 DNSOwner. */
export const DNS_OWNER: KindRef = { ...gardener("DNSOwner", "dnsowners"), namespaced: false };
/** dns.gardener.cloud/v1alpha1 DNSAnnotation. */
export const DNS_ANNOTATION = gardener("DNSAnnotation", "dnsannotations");

/** Identity of an object that was read from `cluster`. The kind is as markers spell it. */
export function objectKeyOf(object: KubeObject, cluster: string): ObjectKey {
  return {
    cluster,
    kind: markerKindOf({ group: groupOf(object.apiVersion), kind: object.kind }),
    namespace: object.metadata.namespace ?? "",
    name: object.metadata.name,
  };
}
