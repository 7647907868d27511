/**
 * VirtualService of Istio → records as external-dns has them (`source/istio_virtualservice.go`
 * @v0.22): each host gets the addresses of the Gateways that it is bound to. What is for the mesh
 * alone is not published; a host that no Gateway has keeps what stands.
 */
import { type DnsName, labelsOf } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, listOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { isNameOfOthers } from "../../model/imports.ts";
import { ISTIO_GATEWAY, objectKeyOf } from "../../model/kinds.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import { externalList } from "../shared/external-annotations.ts";
import { NOTHING, sourceOf } from "../source.ts";
import { type HostText, hostRecords, readHosts } from "./host-records.ts";
import {
  type GatewayTargets,
  gatewayTargets,
  hostsOf,
  referenceIn,
  serversOf,
} from "./istio-gateway.ts";
import { type Reported, rulesOf } from "./named-records.ts";

/** The source `istio-virtualservice` of external-dns: networking.istio.io/v1 VirtualServices. */
export const istioVirtualService = sourceOf((object, view, options) => {
  const given = externalList(object, "target");
  const { gateways, problems } = gatewaysOf(object);
  if (given === null && gateways.length + problems.length === 0) return NOTHING;
  const listed = listOf(fieldsOf(object["spec"])["hosts"]);
  const hosts = listed?.map(
    (host, at): HostText => [
      typeof host === "string" ? host.split("/").at(-1) : host,
      `spec.hosts[${at}]`,
    ],
  );
  const read = readHosts(object, hosts ?? null, { field: "spec.hosts", options });
  const names = read.names.filter((name) => !isOfMesh(name));
  const isNamed = names.length + read.problems.length > 0;
  if (!isNamed && rulesOf(options).templates.names === null) return NOTHING;
  const bound = given === null ? gateways.map((ref) => boundGateway(object, ref, view)) : [];
  const ofBound = bound.flatMap(({ trouble }) => trouble ?? []);
  const troubles = given === null ? [...problems, ...ofBound] : [];
  // While a Gateway is in trouble, the host may be that one's.
  const isWhole = troubles.length === 0 && bound.every(({ isKnown }) => isKnown);
  const isBound = (name: DnsName): boolean => given !== null || bound.some(({ has }) => has(name));
  const found = hostRecords({
    ...{ object, options, cluster: view.clusterId, source: "istio-virtualservice" },
    written: { names, problems: [...read.problems, ...troubles] },
    targetsOf: (name) => joined(bound.filter(({ has }) => has(name))),
    isInTrouble: (name) => !(isWhole && isBound(name)),
  });
  const unbound = isWhole ? found.waiting.filter(({ name }) => !isBound(name)) : [];
  return { ...found, problems: [...found.problems, ...unbound.map(({ name }) => noServer(name))] };
});

/** Names of Services, which meshes and clusters answer themselves. */
function isOfMesh(name: DnsName): boolean {
  return labelsOf(name).length === 1 || isNameOfOthers(name);
}

interface GatewayRef {
  readonly text: string;
  readonly field: string;
}

interface GatewayRefs {
  readonly gateways: readonly GatewayRef[];
  /** Why there may be more. */
  readonly problems: readonly Problem[];
}

/** As many as a route of Gateway API may have parents; more is a mistake or an attack. */
const GATEWAYS_MAX = 32;

/** Without the mesh itself, which is all where none is named. */
function gatewaysOf(object: KubeObject): GatewayRefs {
  const field = "spec.gateways";
  const subject = resourceOf(objectKeyOf(object, ""));
  const none = (message: string): readonly Problem[] => [
    { code: "RouteNotAttached", subject, message, field },
  ];
  const texts = textsOf(fieldsOf(object["spec"])["gateways"] ?? []);
  if (texts === null)
    return {
      gateways: [],
      problems: none("the Gateways are not a list of texts; repair the object"),
    };
  const named = texts
    .map((text, at) => ({ text, field: `${field}[${at}]` }))
    .filter(({ text }, at) => text !== "" && text !== "mesh" && texts.indexOf(text) === at);
  const message = `${named.length} Gateways are named; only the first ${GATEWAYS_MAX} are used, split the VirtualService`;
  const problems = named.length > GATEWAYS_MAX ? none(message) : [];
  return { gateways: named.slice(0, GATEWAYS_MAX), problems };
}

interface BoundGateway extends GatewayTargets {
  /** Whether a server of it takes the host of this VirtualService. */
  readonly has: (name: DnsName) => boolean;
  /** False = it cannot be read now. */
  readonly isKnown: boolean;
}

function boundGateway(
  object: KubeObject,
  { text, field }: GatewayRef,
  view: ClusterView,
): BoundGateway {
  const none = (isKnown: boolean, message: string | null): BoundGateway => ({
    ...{ targets: [], reporter: text, field, isKnown, has: () => false },
    trouble: message === null ? null : { code: "RouteNotAttached", subject, message, field },
  });
  const subject = resourceOf(objectKeyOf(object, ""));
  const ref = referenceIn(text, object);
  if (ref === null)
    return none(true, `${JSON.stringify(text)} is no Gateway; write namespace/name`);
  const found = view.get(ISTIO_GATEWAY, ref.namespace, ref.name);
  if (found.state === "unknown") return none(false, null);
  if (found.state === "absent") {
    const which = `Gateway ${ref.namespace}/${ref.name}`;
    return none(true, `there is no ${which}: create it, or take it off spec.gateways`);
  }
  const gateway = found.value;
  const servers = isExported(object, gateway) ? (serversOf(gateway) ?? []) : [];
  const hosts = new Set(servers.flatMap((server) => hostsFor(object, gateway, server)));
  const has = (name: DnsName): boolean => takes(hosts, name);
  return { ...gatewayTargets(gateway, view), has, isKnown: true };
}

/** `spec.exportTo`: namespaces, `.` for its own, `*` for all, which is meant without a list. */
function isExported(object: KubeObject, gateway: KubeObject): boolean {
  const to = textsOf(fieldsOf(object["spec"])["exportTo"] ?? []) ?? [];
  const { namespace = "" } = gateway.metadata;
  const isOwn = namespace === object.metadata.namespace;
  return (
    to.length === 0 || to.some((one) => one === "*" || one === namespace || (one === "." && isOwn))
  );
}

/** Hosts of a server that are for VirtualServices of this namespace. */
function hostsFor(
  object: KubeObject,
  gateway: KubeObject,
  server: Parameters<typeof hostsOf>[0],
): readonly string[] {
  const { namespace = "" } = object.metadata;
  const isOwn = namespace === gateway.metadata.namespace;
  return hostsOf(server)
    .filter(({ namespace: of }) => of === "*" || of === namespace || (of === "." && isOwn))
    .flatMap(({ host }) => (typeof host === "string" ? [host.toLowerCase()] : []));
}

/** Each of `*`, the name itself, and `*.` above it. */
function takes(hosts: ReadonlySet<string>, name: DnsName): boolean {
  if (hosts.has("*") || hosts.has(name)) return true;
  for (let at = name.indexOf("."); at >= 0; at = name.indexOf(".", at + 1))
    if (hosts.has(`*${name.slice(at)}`)) return true;
  return false;
}

function joined(gateways: readonly GatewayTargets[]): Reported {
  const once = (texts: readonly string[]): string => [...new Set(texts)].join(", ");
  return {
    targets: [...new Set(gateways.flatMap(({ targets }) => targets))],
    reporter: once(gateways.map(({ reporter }) => reporter)),
    field: once(gateways.map(({ field }) => field)),
  };
}

function noServer(name: DnsName): Problem {
  return {
    code: "NoListener",
    subject: name,
    message:
      "no server of the Gateways that the VirtualService names has this host for its namespace: add it to a server, or take it off the VirtualService",
    field: "spec.hosts",
  };
}
