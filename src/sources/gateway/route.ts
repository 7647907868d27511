/**
 * Routes of Gateway API → records: the hosts that a route has in common with the listeners it is
 * attached to get the addresses of their Gateways. A host without a listener, and every name while
 * a parent does not accept the route, keeps what stands.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, listOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { isOfClass } from "../../model/dns-class.ts";
import { type ExternalDnsRules, NO_RULES } from "../../model/external-dns-rules.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { annotatedRecords } from "../shared/annotated-records.ts";
import { annotationField, firstNames } from "../shared/annotations.ts";
import {
  externalHostnames,
  externalKey,
  ttlKeyOf,
  writtenNames,
} from "../shared/external-annotations.ts";
import { reportedTargets } from "../shared/reported-targets.ts";
import { templateNames } from "../shared/template-names.ts";
import { type Found, NOTHING, type SourceOptions, sourceOf } from "../source.ts";
import { type Attachment, attachmentsOf, type GatewayTargets, type Protocols } from "./parents.ts";

const routeOf = (source: string, ...protocols: Protocols) =>
  sourceOf((object, view, options) => endpoints(object, view, { options, protocols, source }));

/** The source `gateway-httproute` of external-dns. */
export const httpRoute = routeOf("gateway-httproute", "HTTP", "HTTPS");
/** The source `gateway-grpcroute` of external-dns. */
export const grpcRoute = routeOf("gateway-grpcroute", "HTTP", "HTTPS");
/** The source `gateway-tlsroute` of external-dns. */
export const tlsRoute = routeOf("gateway-tlsroute", "TLS");
/** The source `gateway-tcproute` of external-dns: a TLS listener that ends TLS takes them, too. */
export const tcpRoute = routeOf("gateway-tcproute", "TCP", "TLS");
/** The source `gateway-udproute` of external-dns. */
export const udpRoute = routeOf("gateway-udproute", "UDP");

interface RouteRules {
  readonly options: SourceOptions;
  readonly protocols: Protocols;
  readonly source: string;
}

function endpoints(
  object: KubeObject,
  view: ClusterView,
  { options, protocols, source }: RouteRules,
): Found<DesiredRecordSet> {
  if (!isOfClass(object, options.dnsClasses)) return NOTHING;
  const provenance = objectKeyOf(object, view.clusterId);
  const subject = resourceOf(provenance);
  const rules = options.externalDns ?? NO_RULES;
  const attached = attachmentsOf(object, view, { protocols, rules });
  if (attached === null) return NOTHING;
  const { attachments, problems, complete } = attached;
  const declared = declaredHosts(object, { rules, source });
  const listened = listenedNames(declared.hosts, attachments);
  const unlistened = declared.names.filter((name) => !listened.served.has(name));
  const { first, excess } = firstNames(object, [...listened.targets.keys()], "spec.hostnames");
  return annotatedRecords(
    {
      object,
      provenance,
      names: first,
      kept: [...unlistened, ...listened.leftOut.filter((name) => !listened.targets.has(name))],
      problems: [
        ...problems,
        ...declared.problems,
        ...listened.problems,
        ...excess,
        // While a parent is in trouble, the host may be that one's.
        ...(complete ? unlistened.map(noListener) : []),
      ],
      complete:
        complete && declared.complete && listened.problems.length === 0 && excess.length === 0,
      ttlKey: ttlKeyOf(object),
    },
    (name, asksForAddresses) => {
      const at = listened.targets.get(name) ?? [];
      const reported = {
        targets: [...new Set(at.flatMap(({ targets }) => targets))],
        reporter: [...new Set(at.map(({ reporter }) => reporter))].join(", "),
        subject,
        field: [...new Set(at.map(({ field }) => field))].join(", "),
      };
      const excluded = options.excludedTargetNets ?? [];
      return reportedTargets(reported, { asksForAddresses, excluded });
    },
  );
}

interface DeclaredHosts {
  /** Null = any host: the route names none, and those of listeners count. */
  readonly hosts: readonly (DnsName | null)[];
  readonly names: readonly DnsName[];
  readonly problems: readonly Problem[];
  /** False = one may be hidden. */
  readonly complete: boolean;
}

const NO_NAMES = { names: [], problems: [], isUnsure: false };

/** Values of `gateway-hostname-source`, the names of which hosts count. */
const HOST_SOURCES = ["annotation-only", "defined-hosts-only"];

/**
 * `spec.hostnames`, and the annotation `hostname`, which adds names. `gateway-hostname-source` may
 * leave one of both out, and then no host of a listener alone counts. Templates count as hosts.
 */
function declaredHosts(
  object: KubeObject,
  { rules, source }: { readonly rules: ExternalDnsRules; readonly source: string },
): DeclaredHosts {
  const subject = resourceOf(objectKeyOf(object, ""));
  const hostnames = listOf(fieldsOf(object["spec"])["hostnames"]);
  if (hostnames === null) {
    const message = "the hostnames are not a list; repair the object";
    const problem = { code: "InvalidDnsName", subject, message, field: "spec.hostnames" };
    return { hosts: [], names: [], problems: [problem], complete: false };
  }
  const { from, remarks } = hostSource(object, subject);
  const defined = hostnames.map((text, index) => [text, `spec.hostnames[${index}]`] as const);
  const isAnnotated = from !== "defined-hosts-only" && !rules.ignoresHostnames;
  const texts = [
    ...(from === "annotation-only" ? [] : defined),
    ...(isAnnotated ? externalHostnames(object) : []),
  ];
  const { first, excess } = firstNames(object, texts, "spec.hostnames");
  const written = writtenNames(first);
  const made =
    from === "annotation-only" || (hostnames.length > 0 && !rules.templates.isAdding)
      ? NO_NAMES
      : templateNames(object, { rules: rules.templates, source });
  const names = [...new Set([...written.names, ...made.names])];
  const problems = [...written.problems, ...made.problems];
  return {
    hosts: hostnames.length === 0 && from === null ? [null, ...names] : names,
    names,
    problems: [...problems, ...excess, ...remarks],
    complete: problems.length + excess.length === 0 && !made.isUnsure,
  };
}

interface HostSource {
  /** Null = all names count. */
  readonly from: string | null;
  readonly remarks: readonly Problem[];
}

function hostSource(object: KubeObject, subject: string): HostSource {
  const key = externalKey(object, "gateway-hostname-source");
  if (key === null) return { from: null, remarks: [] };
  const from = (object.metadata.annotations?.[key] ?? "").trim().toLowerCase();
  if (HOST_SOURCES.includes(from)) return { from, remarks: [] };
  // As external-dns does, the hosts of both count then.
  const message = `it is none of ${HOST_SOURCES.join(", ")}, so that hosts and annotation count`;
  const remark = { code: "Unsupported", subject, message, field: annotationField(key) };
  return { from: null, remarks: [remark] };
}

function noListener(name: DnsName): Problem {
  return {
    code: "NoListener",
    subject: name,
    message:
      "no listener that the route is attached to has this host: add it to a listener, or take it off the route",
    field: "spec.hostnames",
  };
}

interface ListenedNames {
  /** By name: of each listener that has it. */
  readonly targets: ReadonlyMap<DnsName, readonly GatewayTargets[]>;
  /** Those of Gateways that flags leave out. */
  readonly leftOut: readonly DnsName[];
  /** Hosts of the route that a listener has, or a part of. */
  readonly served: ReadonlySet<DnsName | null>;
  readonly problems: readonly Problem[];
}

function listenedNames(
  hosts: readonly (DnsName | null)[],
  attachments: readonly Attachment[],
): ListenedNames {
  const targets = new Map<DnsName, GatewayTargets[]>();
  const served = new Set<DnsName | null>();
  const leftOut = new Set<DnsName>();
  const problems: Problem[] = [];
  for (const { hostname, at, isLeftOut } of attachments) {
    const isAny = hostname === undefined || hostname === null || hostname === "";
    const read = writtenNames(isAny ? [] : [[hostname, `spec.listeners of ${at.reporter}`]]);
    problems.push(...read.problems);
    if (read.problems.length > 0) continue;
    for (const host of hosts) {
      const name = commonHost(host, read.names[0] ?? null);
      if (name === undefined) continue;
      served.add(host);
      if (name === null) continue;
      if (isLeftOut) leftOut.add(name);
      else targets.set(name, [...(targets.get(name) ?? []), at]);
    }
  }
  return { targets, leftOut: [...leftOut], served, problems };
}

// Hostnames of routes and listeners, where `*.` stands for one or more labels (Gateway API).

/** The more specific one of two that overlap; undefined = they do not. Null = any host. */
function commonHost(a: DnsName | null, b: DnsName | null): DnsName | null | undefined {
  if (a === null || b === null) return a ?? b;
  if (covers(a, b)) return b;
  return covers(b, a) ? a : undefined;
}

function covers(wide: DnsName, host: DnsName): boolean {
  return wide === host || (wide.startsWith("*.") && host.endsWith(wide.slice(1)));
}
