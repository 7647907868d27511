/**
 * The list of sources. A new source is a folder and a row here, and nothing else: `--controllers`,
 * `dev`, the ClusterRole (deploy/rbac), docs/reference/sources.md, the kinds that markers may name
 * and the fields kept in memory are all made from the rows.
 */
import { invariant } from "@zonekeeper/base/invariant";
import { INGRESS, NAMESPACE, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { kindText } from "@zonekeeper/kube/objects/kubernetes";
import {
  DNS_ANNOTATION,
  DNS_ENDPOINT,
  DNS_ENTRY,
  GATEWAY,
  GRPC_ROUTE,
  HTTP_ROUTE,
  LISTENER_SET,
  objectKeyOf,
  SERVICE_ENTRY,
  TCP_ROUTE,
  TLS_ROUTE,
  UDP_ROUTE,
} from "../model/kinds.ts";
import { isPaused } from "../model/object-annotations.ts";
import { serviceDns } from "./core/service-dns.ts";
import { byFlags } from "./externaldns/by-flags.ts";
import { dnsEndpoint, ENDPOINT_TYPES } from "./externaldns/dnsendpoint.ts";
import { withDnsAnnotations } from "./gardener/dns-annotation.ts";
import { copiedEntry, dnsEntry } from "./gardener/dnsentry.ts";
import { grpcRoute, httpRoute, tcpRoute, tlsRoute, udpRoute } from "./gateway/route.ts";
import { serviceEntry } from "./istio/service-entry.ts";
import { ingressDns } from "./networking/ingress-dns.ts";
import { withSecondaryReads } from "./secondary-reads.ts";
import { withOwnerId, withProperties, withRoutingPolicy } from "./shared/annotated-items.ts";
import { withRemarks } from "./shared/annotation-remarks.ts";
import type { Source, SourceFacts, SourceOptions, SourceRow } from "./source.ts";

export type { SourceOptions } from "./source.ts";

/** How a DNSEntry says its name, and that its records are not as its spec has it. */
const ENTRY_FIELDS = {
  nameFields: ["spec.dnsName"],
  troubledStates: ["Error", "Invalid", "Stale"],
} as const;

/** Of every kind of route of Gateway API; the names of their sources are external-dns's. */
const ROUTE = {
  secondary: [GATEWAY, LISTENER_SET, NAMESPACE],
  nameFields: ["spec.hostnames"],
  keptFields: ["spec.hostnames", "spec.parentRefs", "status.parents"],
  isDefault: false,
  inDev: false,
  publishes: "direct",
} as const;

/** In the order of help texts and docs. */
export const SOURCES: readonly SourceRow[] = [
  {
    name: "dnsentry",
    primary: DNS_ENTRY,
    // What an entry refers to.
    secondary: [DNS_ENTRY],
    ...ENTRY_FIELDS,
    isDefault: true,
    inDev: true,
    publishes: "itself",
    doc: "the name of each DNSEntry with its targets or texts",
    open: dnsEntry,
  },
  {
    name: "service-dns",
    primary: SERVICE,
    secondary: [DNS_ANNOTATION],
    isDefault: true,
    inDev: true,
    publishes: "entries",
    publishesEither: true,
    // `loadBalancerIP` is the address that the load balancer of `dev` grants.
    keptFields: ["spec.type", "spec.loadBalancerIP", "status.loadBalancer"],
    doc: "annotated names of Services of type LoadBalancer",
    open: serviceDns,
  },
  {
    name: "ingress-dns",
    primary: INGRESS,
    secondary: [DNS_ANNOTATION],
    isDefault: true,
    inDev: true,
    publishes: "entries",
    publishesEither: true,
    keptFields: ["spec.rules.host", "spec.loadBalancerIP", "status.loadBalancer"],
    doc: "annotated hosts of Ingresses",
    open: ingressDns,
  },
  {
    name: "dnsentry-source",
    primary: DNS_ENTRY,
    secondary: [DNS_ENTRY, DNS_ANNOTATION],
    ...ENTRY_FIELDS,
    writesStatus: true,
    isDefault: false,
    inDev: false,
    publishes: "entries",
    doc: "copies of DNSEntries for another cluster or class, with the status carried back",
    open: copiedEntry,
  },
  {
    // The name that external-dns gives to this source.
    name: "crd",
    primary: DNS_ENDPOINT,
    secondary: [DNS_ANNOTATION],
    nameFields: ["spec.endpoints.dnsName"],
    inTarget: true,
    writesStatus: true,
    isDefault: false,
    inDev: false,
    publishes: "direct",
    types: ENDPOINT_TYPES,
    doc: "the records of external-dns's DNSEndpoints, whose definition (deploy/crds) must be installed",
    open: dnsEndpoint,
  },
  {
    ...ROUTE,
    name: "gateway-httproute",
    primary: HTTP_ROUTE,
    doc: "the hosts of HTTPRoutes (Gateway API), with the addresses of the Gateways that accept them",
    open: httpRoute,
  },
  {
    ...ROUTE,
    name: "gateway-grpcroute",
    primary: GRPC_ROUTE,
    doc: "the same of GRPCRoutes",
    open: grpcRoute,
  },
  {
    ...ROUTE,
    name: "gateway-tlsroute",
    primary: TLS_ROUTE,
    doc: "the same of TLSRoutes",
    open: tlsRoute,
  },
  {
    ...ROUTE,
    name: "gateway-tcproute",
    primary: TCP_ROUTE,
    doc: "the same of TCPRoutes, whose hosts are those of listeners and annotations",
    open: tcpRoute,
  },
  {
    ...ROUTE,
    name: "gateway-udproute",
    primary: UDP_ROUTE,
    doc: "the same of UDPRoutes, whose hosts are those of listeners and annotations",
    open: udpRoute,
  },
  {
    // Kept whole: imports compare all of it.
    name: "istio-serviceentry",
    primary: SERVICE_ENTRY,
    secondary: [],
    nameFields: ["spec.hosts"],
    isDefault: false,
    inDev: true,
    publishes: "direct",
    types: ["A", "AAAA", "CNAME", "SRV"],
    doc: "the hosts of Istio's ServiceEntries with the annotation zonekeeper.dev/publish or in --serviceentry-namespaces",
    open: serviceEntry,
  },
];

/** Whether DNSAnnotations count for its objects. */
export function isAnnotated({ secondary }: SourceFacts): boolean {
  return secondary.includes(DNS_ANNOTATION);
}

/** Kinds that DNSAnnotations can annotate, whatever is served here. */
export const ANNOTATED_KINDS = SOURCES.filter(isAnnotated).map(({ primary }) => primary);

/**
 * Opens the source of this name, which must be in the list. A row that cannot work ends the process
 * here.
 */
export function openSource(
  name: string,
  options: SourceOptions,
  rows: readonly SourceRow[] = SOURCES,
): Source {
  const row = rows.find((one) => one.name === name);
  invariant(row, `there is no source ${name}`);
  // A DNSEntry is in the namespace of its object, whose DNSProviders serve it.
  const why = `because ${kindText(row.primary)} have no namespace`;
  const todo = 'Its row must say `publishes: "direct"`, without `publishesEither`';
  const text = `The source ${name} cannot publish through DNSEntries, ${why}. ${todo}`;
  invariant(row.primary.namespaced || !hasEntries(row), text);
  // Markers name the copy of an entry.
  const originals = rows
    .filter(hasEntries)
    .flatMap(({ primary }) => (primary === DNS_ENTRY ? [] : [primary]));
  const { externalDns, excludedTargetNets = [] } = options;
  // With flags of external-dns an address that is left out is no mistake of the object.
  const source = row.open(
    externalDns === undefined ? options : { ...options, excludedTargetNets: [] },
    originals,
  );
  const onDemand = (row.onDemand ?? []).map(({ kind }) => kind);
  const secondary = new Set([...row.secondary, ...onDemand].map(kindText));
  const answer: Source["endpoints"] = (object, view) => {
    const found = source.endpoints(object, view);
    const policed = withProperties(object, withRoutingPolicy(object, found));
    return withRemarks(object, withOwnerId(object, policed), options);
  };
  const { dnsClasses } = options;
  const ask = isAnnotated(row)
    ? withDnsAnnotations(answer, { kinds: ANNOTATED_KINDS, dnsClasses })
    : answer;
  const endpoints: Source["endpoints"] = (object, view) => {
    const found = withSecondaryReads(secondary, view, (seen) => ask(object, seen));
    // Markers name the object; the source says which others it pauses.
    if (found.paused !== undefined || !isPaused(object)) return found;
    return { ...found, paused: [objectKeyOf(object, view.clusterId)] };
  };
  const opened = { ...row, endpoints };
  return externalDns === undefined ? opened : byFlags(opened, externalDns, excludedTargetNets);
}

/** DNSEntries may be generated for its objects. */
function hasEntries({ publishes, publishesEither }: SourceRow): boolean {
  return publishes === "entries" || publishesEither === true;
}
