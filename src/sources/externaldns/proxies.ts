/**
 * Kinds of proxies whose objects say themselves which hosts they have and where these are reached:
 * HTTPProxy of Contour, RouteGroup of Skipper, Route of OpenShift, routers of Traefik, as
 * external-dns has them (`source/contour_httpproxy.go`, `skipper_routegroup.go`,
 * `openshift_route.go`, `traefik_proxy.go` @v0.22). Without a word of their proxy names keep what
 * stands.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { type Fields, fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ExternalDnsRules } from "../../model/external-dns-rules.ts";
import { writtenNames } from "../shared/external-annotations.ts";
import { sourceOf } from "../source.ts";
import { type HostText, hostRecords, isNoName, readHosts } from "./host-records.ts";
import { balancedTargets, type Reported, rulesOf } from "./named-records.ts";

/** What an object says of itself. */
interface ProxyFacts {
  /** Null = the field is no list. */
  readonly hosts: readonly HostText[] | null;
  readonly reported: Reported;
  /** That has the list. Absent = that of the first host, else `spec.hosts`. */
  readonly field?: string;
  /** Templates that count. Absent = those of names. */
  readonly takes?: "targets";
  /** The hosts may be another object's: the annotation `target` does not count for them. */
  readonly areUnclaimed?: boolean;
}

const proxy = (
  source: string,
  factsOf: (object: KubeObject, rules: ExternalDnsRules) => ProxyFacts,
) =>
  sourceOf((object, { clusterId }, options) => {
    const { hosts, reported, takes, ...facts } = factsOf(object, rulesOf(options));
    const named = facts.areUnclaimed === true ? hosts?.filter(([host]) => !isNoName(host)) : [];
    const unclaimed = writtenNames(named ?? []).names;
    const field = facts.field ?? hosts?.[0]?.[1] ?? "spec.hosts";
    return hostRecords({
      ...{ object, options, cluster: clusterId, source },
      written: readHosts(object, hosts, { field, options }),
      targetsOf: (name) => ({ ...reported, isFixed: unclaimed.includes(name) }),
      ...(takes === undefined ? {} : { takes }),
    });
  });

/** The source `contour-httpproxy`: projectcontour.io/v1 HTTPProxies. */
export const contourHttpProxy = proxy("contour-httpproxy", (object) => ({
  hosts: [[fieldsOf(fieldsOf(object["spec"])["virtualhost"])["fqdn"], "spec.virtualhost.fqdn"]],
  reported: balancedTargets(object),
}));

/** The source `skipper-routegroup`: zalando.org/v1 RouteGroups. */
export const skipperRouteGroup = proxy("skipper-routegroup", (object) => {
  const status = fieldsOf(fieldsOf(object["status"])["loadBalancer"]);
  const hosts = listOf(fieldsOf(object["spec"])["hosts"]);
  return {
    hosts: hosts?.map((host, at): HostText => [host, `spec.hosts[${at}]`]) ?? null,
    reported: {
      targets: (listOf(status["routeGroup"]) ?? [])
        .map(fieldsOf)
        .flatMap(({ ip, hostname }) => textOf(ip) ?? textOf(hostname) ?? []),
      reporter: "the load balancer",
      field: "status.loadBalancer.routeGroup",
    },
  };
});

/**
 * The source `openshift-route`: route.openshift.io/v1 Routes. The host is that of the first router
 * that admits it, or of the one that the flag names; until then it is that of the Route.
 */
export const openshiftRoute = proxy("openshift-route", (object, { openshiftRouter }) => {
  const routers = (listOf(fieldsOf(object["status"])["ingress"]) ?? []).map(fieldsOf);
  const at = routers.findIndex(
    (router) =>
      isAdmitting(router) &&
      textOf(router["routerCanonicalHostname"]) !== null &&
      (openshiftRouter === null || router["routerName"] === openshiftRouter),
  );
  const { host, routerCanonicalHostname } = routers[at] ?? {};
  const target = textOf(routerCanonicalHostname);
  const field = at < 0 ? "status.ingress" : `status.ingress[${at}]`;
  return {
    hosts: at < 0 ? [[fieldsOf(object["spec"])["host"], "spec.host"]] : [[host, `${field}.host`]],
    reported: {
      targets: target === null ? [] : [target],
      reporter: "the router",
      field: `${field}.routerCanonicalHostname`,
    },
    areUnclaimed: at < 0,
  };
});

function isAdmitting({ conditions }: Fields): boolean {
  const all = (listOf(conditions) ?? []).map(fieldsOf);
  return all.find(({ type }) => type === "Admitted")?.["status"] === "True";
}

/** A host of a rule, as external-dns looks for them: `Host(`a`, `b`)`, `HostSNI(`a`)`. */
const MATCHER = /(?:HostSNI|HostHeader|Host)\s*\(\s*`.*?`\s*\)/g;

/**
 * The source `traefik-proxy`: traefik.io/v1alpha1 IngressRoutes, and those of TCP and UDP, which
 * have no rules. Their objects do not say where they are reached: the annotation `target` does, or
 * templates.
 */
export const traefikProxy = proxy("traefik-proxy", (object) => {
  const routes = listOf(fieldsOf(object["spec"])["routes"] ?? []);
  const matches = routes?.map((route) => fieldsOf(route)["match"] ?? "");
  const isRead = matches?.every((match) => typeof match === "string") === true;
  return {
    hosts: isRead
      ? matches.flatMap((match, at) => hostsIn(match, `spec.routes[${at}].match`))
      : null,
    reported: { targets: [], reporter: "the annotation target", field: "metadata.annotations" },
    field: "spec.routes",
    takes: "targets",
  };
});

function hostsIn(match: string, field: string): readonly HostText[] {
  const matchers = match.match(MATCHER) ?? [];
  return matchers.flatMap((one) =>
    [...one.matchAll(/`([^,`]+)`/g)].map(([, host]): HostText => [host, field]),
  );
}
