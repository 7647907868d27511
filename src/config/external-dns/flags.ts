/**
 * Every flag of external-dns, v0.5 to v0.23, once: how it is read, and what becomes of it here.
 * Rows only; read-flags.ts reads values, translate.ts makes a configuration of them. Source:
 * `pkg/apis/externaldns/types.go` of each version.
 */
import { type FlagRow, flagRows, idle, refused, works } from "./flag-row.ts";
import { PROVIDER_FLAGS } from "./provider-flags.ts";

const WATCHED = "changes are watched and published at once";
const PACED = "each account has a budget of calls that adapts to what its API allows";
const CACHED = "what is known of a zone is kept, and checked by its serial or its listing";
const CLIENT = "the API server's own priority and fairness bounds requests";
const LEGACY =
  "move the objects of traefik.containo.us to traefik.io: no Traefik since version 3 reads the old kinds, nor does this program";
const OWN_SOURCE = "its source is not built here";

/** What asks for records: objects, and which of them. */
const SOURCES: readonly FlagRow[] = flagRows(null, {
  source: works("list", "the sources of the same names"),
  namespace: works("text", "is --namespace"),
  "annotation-filter": works("text", "other objects are left alone; what they have stays"),
  "label-filter": works("text", "other objects are left alone; what they have stays"),
  "ingress-class": works(
    "list",
    "other Ingresses are left alone; what they have stays",
    "v0.13.5-",
  ),
  "annotation-prefix": works(
    "text",
    "the one prefix that is read; without it both of external-dns's are",
    "v0.20.0-",
  ),
  "enable-legacy-annotation-prefix": works(
    "bool",
    "external-dns.alpha.kubernetes.io/ is read beside --annotation-prefix, which counts first",
    "v0.23.0-",
  ),
  "service-type-filter": works("list", "other Services are left alone; what they have stays", "-", {
    choices: ["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"],
  }),
  "publish-internal-services": works("bool", "Services of type ClusterIP get their cluster IP"),
  "ignore-ingress-tls-spec": works("bool", "hosts of spec.tls are not published"),
  "ignore-ingress-rules-spec": works("bool", "hosts of spec.rules are not published"),
  "gateway-name": works("text", "routes of other Gateways are left alone", "v0.16.0-"),
  "gateway-namespace": works("text", "routes of other Gateways are left alone"),
  "gateway-label-filter": works("text", "routes of other Gateways are left alone"),
  "gateway-listener-sets": works(
    "bool",
    "without it routes of ListenerSets are left alone",
    "v0.21.0-",
  ),
  "crd-source-apiversion": refused(
    "text",
    "DNSEndpoints of externaldns.k8s.io/v1alpha1 are read, whatever it says since v0.22; write them so",
    "-",
    { harmless: ["externaldns.k8s.io/v1alpha1"] },
  ),
  "crd-source-kind": refused("text", "DNSEndpoints are read; write them so", "-", {
    harmless: ["DNSEndpoint"],
  }),
  compatibility: refused("text", "annotate the objects with hostname"),
  "fqdn-template": works(
    "list",
    "makes the names of objects that have none ([templates](external-dns-sources.md#templates))",
  ),
  "target-template": works(
    "list",
    "makes the targets of `--fqdn-template` for traefik-proxy",
    "v0.21.0-",
  ),
  "fqdn-target-template": works(
    "list",
    "makes names with their targets, of Services, Nodes and traefik-proxy",
    "v0.21.0-",
  ),
  "ignore-hostname-annotation": works("bool", "names are those of rules and templates alone"),
  "combine-fqdn-annotation": works("bool", "templates add to the names that an object has"),
  "resolve-service-load-balancer-hostname": works(
    "bool",
    "host names of load balancers are looked up, and their addresses published",
    "v0.13.5-",
  ),
  "always-publish-not-ready-addresses": works("bool", "Pods that are not ready count, too"),
  "publish-host-ip": works("bool", "Pods of headless Services have the addresses of their nodes"),
  "listen-endpoint-events": idle("bool", WATCHED, "v0.16.0-"),
  "connector-source-server": idle("text", OWN_SOURCE),
  "unstructured-resource": idle("list", OWN_SOURCE, "v0.21.0-"),
  "skipper-routegroup-groupversion": refused(
    "text",
    "RouteGroups of zalando.org/v1 are read",
    "-",
    { harmless: ["zalando.org/v1"] },
  ),
  "gloo-namespace": idle("list", OWN_SOURCE),
  "openshift-router-name": works("text", "the router whose word counts; the first that admits"),
  "exclude-unschedulable": works(
    "bool",
    "nodes that take no Pods do not count; true if not given",
    "v0.17.0-",
  ),
  "expose-internal-ipv6": works(
    "bool",
    "internal IPv6 addresses of nodes go beside external ones",
    "v0.17.0-",
  ),
  "ignore-non-host-network-pods": idle("bool", OWN_SOURCE, "v0.16.0-"),
  "pod-source-domain": idle("text", OWN_SOURCE, "v0.16.0-"),
  "traefik-enable-legacy": refused("bool", LEGACY, "v0.19.0-"),
  "traefik-disable-new": refused("bool", LEGACY, "v0.14.1-"),
  "traefik-disable-legacy": idle("bool", "only kinds of traefik.io are read", "v0.14.1-v0.18.0"),
  "contour-load-balancer": idle("text", OWN_SOURCE, "-v0.13.5"),
  "istio-ingress-gateway": idle("list", OWN_SOURCE, "-v0.5.17"),
});

/** What records are like. */
const RECORDS: readonly FlagRow[] = flagRows(null, {
  "managed-record-types": works("list", "records of other types are left alone"),
  "exclude-record-types": works("list", "records of these types are left alone", "v0.14.0-"),
  "default-targets": works("list", "the targets of DNSEndpoints that have none", "v0.9.0-"),
  "force-default-targets": works(
    "bool",
    "default targets take the place of all others",
    "v0.18.0-",
  ),
  "target-net-filter": works(
    "list",
    "addresses outside, and host names, are not published",
    "v0.13.0-",
  ),
  "exclude-target-net": works("list", "is --exclude-target-net", "v0.13.0-"),
  "min-ttl": works("duration", "the TTL of objects that say none", "v0.21.0-"),
  "prefer-alias": refused(
    "bool",
    "ask for alias: true in providerSpecific of DNSEndpoints",
    "v0.21.0-",
  ),
  "create-ptr": refused("bool", "write PTR records as DNSEndpoints", "v0.21.0-"),
  "nat64-networks": refused("list", "write the A records as DNSEndpoints", "v0.15.1-"),
});

/** Which zones, and whose records. */
const ZONES: readonly FlagRow[] = flagRows(null, {
  provider: works("text", "a DNSProvider in memory, which every namespace may use"),
  "domain-filter": works("list", "names outside are left alone; their records stay"),
  "exclude-domains": works("list", "names in them are left alone; their records stay"),
  "zone-id-filter": works("list", "other zones are left alone"),
  "zone-name-filter": works("list", "as --domain-filter"),
  "regex-domain-filter": works("text", "in place of --domain-filter: other names are left alone"),
  "regex-domain-exclusion": works(
    "text",
    "in place of --exclude-domains: names that match are left alone",
  ),
  policy: works("text", "is --policy; upsert-only where it is not given", "-", {
    choices: ["sync", "upsert-only", "create-only"],
  }),
  registry: works("text", "is --registry: txt, noop, or this program's configmap", "-", {
    choices: ["txt", "noop", "configmap"],
    otherwise:
      "; with txt, its records have no marker: --adopt=equal takes those that are as objects want them",
  }),
  "txt-owner-id": works("text", "is --owner; default if it is not given"),
  "txt-prefix": works("text", "the same"),
  "txt-suffix": works("text", "the same"),
  "txt-wildcard-replacement": works("text", "the same"),
  "txt-encrypt-enabled": works("bool", "the same", "v0.13.5-"),
  "txt-encrypt-aes-key": works("text", "the same", "v0.13.5-", { isSecret: true }),
  "txt-cache-interval": idle("duration", CACHED),
  "txt-new-format-only": idle(
    "bool",
    "typed markers are written, and all forms are read",
    "v0.16.0-v0.17.0",
  ),
  "migrate-from-txt-owner": refused(
    "text",
    "leave it out, read zonekeeper plan, then zonekeeper ownership transfer NAME --from OLD --to NEW",
    "v0.20.0-",
  ),
  "crd-registry-namespace": idle("text", "it goes with --registry=crd"),
  "dynamodb-region": idle("text", "it goes with --registry=dynamodb"),
  "dynamodb-table": idle("text", "it goes with --registry=dynamodb"),
});

/** How the process runs. */
const PROCESS: readonly FlagRow[] = flagRows(null, {
  kubeconfig: works("text", "the same"),
  server: refused("text", "write a kubeconfig with that server, and give --kubeconfig"),
  master: refused("text", "write a kubeconfig with that server, and give --kubeconfig", "-v0.7.2"),
  "request-timeout": idle("duration", CLIENT),
  "kube-api-request-timeout": idle("duration", CLIENT, "v0.21.0-"),
  "kube-api-qps": idle("integer", CLIENT, "v0.21.0-"),
  "kube-api-burst": idle("integer", CLIENT, "v0.21.0-"),
  interval: idle("duration", WATCHED),
  events: idle("bool", WATCHED),
  "min-event-sync-interval": idle("duration", WATCHED),
  "events-emit": idle(
    "list",
    "Events are written anyway, as RecordReady, RecordDeleted and RecordError",
    "v0.19.0-",
  ),
  "provider-cache-time": idle("duration", CACHED, "v0.15.0-"),
  "batch-change-size": idle("integer", PACED, "v0.21.0-"),
  "batch-change-interval": idle("duration", PACED, "v0.21.0-"),
  once: works("bool", "is --once: 0 all is written, 2 something is held, 1 something is not known"),
  "dry-run": works("bool", "is --dry-run"),
  "log-format": works("text", "is --log-format", "-", { choices: ["text", "json"] }),
  "log-level": works("text", "is --log-level", "-", {
    choices: ["panic", "fatal", "error", "warning", "info", "debug", "trace"],
  }),
  debug: idle("bool", "give --log-level=debug", "-v0.4.4"),
  "metrics-address": works("text", "is --http-address and --http-port; :7979 if it is not given"),
  "webhook-server": refused(
    "bool",
    "leave external-dns in place for that; --provider=webhook asks it from here",
    "v0.14.0-",
  ),
});

/** In the order of the reference page. */
export const EXTERNAL_DNS_FLAGS: readonly FlagRow[] = [
  ...SOURCES,
  ...RECORDS,
  ...ZONES,
  ...PROCESS,
  ...PROVIDER_FLAGS,
];
