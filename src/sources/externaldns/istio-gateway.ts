/**
 * Gateway of Istio → records as external-dns has them (`source/istio_gateway.go` @v0.22): the hosts
 * of its servers get the addresses of the Services that lead to its Pods, or of the Ingress that it
 * names. Where these are not known its names keep what stands.
 */
import { INGRESS, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { type Fields, fieldsOf, listOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView, ObjectIndex } from "@zonekeeper/kube/ports/cluster-view";
import { objectKeyOf } from "../../model/kinds.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import { annotationField } from "../shared/annotations.ts";
import { externalKey, externalList } from "../shared/external-annotations.ts";
import { NOTHING, sourceOf } from "../source.ts";
import { type HostText, hostRecords, readHosts } from "./host-records.ts";
import { balancedTargets, type Reported, rulesOf } from "./named-records.ts";

/** The source `istio-gateway` of external-dns: networking.istio.io/v1 Gateways. */
export const istioGateway = sourceOf((object, view, options) => {
  const servers = serversOf(object);
  const isList = servers?.every((server) => listOf(server["hosts"]) !== null) === true;
  const hosts = (servers ?? []).flatMap((server, at) =>
    hostsOf(server).map(
      ({ host }, index): HostText => [host, `spec.servers[${at}].hosts[${index}]`],
    ),
  );
  const { names, problems } = readHosts(object, isList ? hosts : null, {
    ...{ field: "spec.servers", options },
  });
  const isNamed = names.length + problems.length > 0;
  if (!isNamed && rulesOf(options).templates.names === null) return NOTHING;
  const { trouble, ...reported } = gatewayTargets(object, view);
  return hostRecords({
    ...{ object, options, cluster: view.clusterId, source: "istio-gateway" },
    written: { names, problems: trouble === null ? problems : [...problems, trouble] },
    targetsOf: () => reported,
    isInTrouble: () => trouble !== null,
  });
});

/** `spec.servers`; null = it is no list. */
export function serversOf(gateway: KubeObject): readonly Fields[] | null {
  return listOf(fieldsOf(gateway["spec"])["servers"])?.map(fieldsOf) ?? null;
}

/** Hosts of a server, which may say whose VirtualServices they are for: `namespace/host`. */
export function hostsOf(
  server: Fields,
): readonly { readonly namespace: string; readonly host: unknown }[] {
  return (listOf(server["hosts"]) ?? []).map((text) => {
    const [namespace = "*", host, ...more] = typeof text === "string" ? text.split("/") : [];
    return host === undefined || more.length > 0
      ? { namespace: "*", host: text }
      : { namespace, host };
  });
}

/** Targets, or why they are not known. */
export interface GatewayTargets extends Reported {
  /** Null = nothing is wrong. */
  readonly trouble: Problem | null;
}

/** Of the annotation `target`, else of the Ingress of `ingress`, else of Services by selector. */
export function gatewayTargets(gateway: KubeObject, view: ClusterView): GatewayTargets {
  const given = externalList(gateway, "target");
  const reporter = `Gateway ${gateway.metadata.namespace}/${gateway.metadata.name}`;
  if (given !== null) {
    const field = `${annotationField(given.key)} of ${reporter}`;
    return { targets: given.texts, reporter, field, trouble: null };
  }
  const key = externalKey(gateway, "ingress");
  return key === null ? ofServices(gateway, view, reporter) : ofIngress(gateway, view, key);
}

function ofIngress(gateway: KubeObject, view: ClusterView, key: string): GatewayTargets {
  const text = (gateway.metadata.annotations?.[key] ?? "").trim();
  const field = annotationField(key);
  const ref = referenceIn(text, gateway);
  const reporter = `Ingress ${ref === null ? text : `${ref.namespace}/${ref.name}`}`;
  const none = (message: string): GatewayTargets => ({
    ...{ targets: [], reporter, field },
    trouble: { code: "RouteNotAttached", subject: subjectOf(gateway), message, field },
  });
  if (ref === null) return none(`${JSON.stringify(text)} is no Ingress; write namespace/name`);
  const found = view.get(INGRESS, ref.namespace, ref.name);
  if (found.state === "value") {
    const { targets, field: status } = balancedTargets(found.value);
    return { targets, reporter, field: `${status} of ${reporter}`, trouble: null };
  }
  // One that is not known yet is told by the kind that cannot be read.
  if (found.state === "unknown") return { targets: [], reporter, field, trouble: null };
  return none(`there is no ${reporter}: create it, or correct the annotation`);
}

/** `name` in the namespace of the object, or `namespace/name`; null = neither. */
export function referenceIn(
  text: string,
  { metadata }: KubeObject,
): { readonly namespace: string; readonly name: string } | null {
  const segments = text.split("/");
  const [first = "", second] = segments;
  if (segments.length > 2 || segments.includes("")) return null;
  return second === undefined
    ? { namespace: metadata.namespace ?? "", name: first }
    : { namespace: first, name: second };
}

/** Services by what they select. */
const SELECTED: ObjectIndex = {
  name: "selected",
  kind: SERVICE,
  valuesOf: (service) => pairsOf(fieldsOf(service["spec"])["selector"]),
};

function pairsOf(selector: unknown): readonly string[] {
  return Object.entries(fieldsOf(selector)).map(([key, value]) => `${key}=${String(value)}`);
}

/** Those whose selector has all of the Gateway's: they lead to its Pods, and may lead to fewer. */
function ofServices(gateway: KubeObject, view: ClusterView, reporter: string): GatewayTargets {
  const field = "spec.selector";
  const pairs = pairsOf(fieldsOf(gateway["spec"])["selector"]);
  const [first] = [...pairs].sort();
  if (first === undefined) {
    const message =
      "it selects nothing, for which external-dns takes the addresses of all Services; write the labels of the ingress gateway, or the annotation target";
    const trouble = { code: "RouteNotAttached", subject: subjectOf(gateway), message, field };
    return { targets: [], reporter, field, trouble };
  }
  const found = view.indexed(SELECTED, first);
  const services = found.state === "value" ? found.value : [];
  const chosen = services.filter((service) => {
    const own = pairsOf(fieldsOf(service["spec"])["selector"]);
    return pairs.every((pair) => own.includes(pair));
  });
  const targets = [...new Set(chosen.flatMap(addressesOf))].sort();
  const of = `Services with the selector ${[...pairs].sort().join()}`;
  return { targets, reporter: of, field: `${field} of ${reporter}`, trouble: null };
}

function addressesOf(service: KubeObject): readonly string[] {
  const own = textsOf(fieldsOf(service["spec"])["externalIPs"] ?? []) ?? [];
  return own.length > 0 ? own : balancedTargets(service).targets;
}

function subjectOf(object: KubeObject): string {
  return resourceOf(objectKeyOf(object, ""));
}
