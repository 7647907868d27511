/**
 * Node → records as external-dns has them (`source/node.go` @v0.22): its own name, or those of
 * templates, get its external addresses, else the internal ones. Besides, which nodes have the
 * endpoints of a Service (`source/service.go`).
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { ENDPOINT_SLICE, NODE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { type Fields, fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView, ObjectIndex } from "@zonekeeper/kube/ports/cluster-view";
import type { SourceRules } from "../../model/source-rules.ts";
import { writtenNames } from "../shared/external-annotations.ts";
import { NOTHING, sourceOf } from "../source.ts";
import { namedEach, namedRecords, rulesOf } from "./named-records.ts";
import { withTemplates } from "./templated-names.ts";

/** The source `node` of external-dns: core/v1 Nodes. */
export const node = sourceOf((object, view, options) => {
  const rules = rulesOf(options);
  if (!isCounted(object, rules)) return NOTHING;
  const targets = publicAddresses([object], rules);
  const reported = { targets, reporter: "the node", field: "status.addresses" };
  const each = (names: readonly DnsName[]) => namedEach(names, () => reported);
  const { names, pairs, isAdding } = rules.templates;
  const isNamed = isAdding || (names === null && pairs === null);
  const own = writtenNames(isNamed ? [[object.metadata.name, "metadata.name"]] : []);
  const wanted = withTemplates(
    object,
    { ...each(own.names), problems: own.problems },
    { source: "node", rules: rules.templates, takes: "pairs", namesOf: each },
  );
  return namedRecords({ object, options, cluster: view.clusterId, wanted });
});

/** Addresses of nodes, as they stand in their statuses. */
export interface NodeAddresses {
  readonly external: readonly string[];
  readonly internal: readonly string[];
}

/** Of all of them together; IPv6 of the inside is external as well where flags say so. */
export function addressesOf(
  nodes: readonly KubeObject[],
  { isInternalIpv6Published }: SourceRules,
): NodeAddresses {
  const addresses = nodes
    .flatMap(({ status }: Fields) => listOf(fieldsOf(status)["addresses"]) ?? [])
    .map(fieldsOf)
    .map(({ type, address }) => ({ type: textOf(type), address: textOf(address) ?? "" }));
  const ofType = (wanted: string): readonly string[] =>
    addresses.filter(({ type }) => type === wanted).map(({ address }) => address);
  const internal = ofType("InternalIP");
  const beside = isInternalIpv6Published ? internal.filter((one) => one.includes(":")) : [];
  return { external: [...ofType("ExternalIP"), ...beside], internal };
}

/** External addresses, else internal ones. */
export function publicAddresses(
  nodes: readonly KubeObject[],
  rules: SourceRules,
): readonly string[] {
  const { external, internal } = addressesOf(nodes, rules);
  const hasExternal = addressesOf(nodes, { ...rules, isInternalIpv6Published: false }).external;
  return hasExternal.length > 0 ? external : internal;
}

/** Whether the node counts: it takes Pods, or flags count all. */
export function isCounted({ spec }: Fields, { areCordonedPublished }: SourceRules): boolean {
  return areCordonedPublished || fieldsOf(spec)["unschedulable"] !== true;
}

const SERVICE_LABEL = "kubernetes.io/service-name";

const OF_SERVICE: ObjectIndex = {
  name: "service",
  kind: ENDPOINT_SLICE,
  valuesOf: ({ metadata: { namespace = "", labels = {} } }) => {
    const service = labels[SERVICE_LABEL];
    return service === undefined ? [] : [`${namespace}/${service}`];
  },
};

/** An element of `endpoints`, and the kind of its addresses. */
export interface SliceEndpoint {
  readonly addressType: string;
  readonly endpoint: Fields;
}

/** Of the EndpointSlices of a Service; empty where nothing is known of them. */
export function sliceEndpoints(
  { metadata: { namespace = "", name } }: KubeObject,
  view: ClusterView,
): readonly SliceEndpoint[] {
  const slices = view.indexed(OF_SERVICE, `${namespace}/${name}`, namespace);
  if (slices.state !== "value") return [];
  return slices.value.flatMap(({ addressType, endpoints }: Fields) =>
    (listOf(endpoints) ?? []).map((one) => ({
      addressType: textOf(addressType) ?? "",
      endpoint: fieldsOf(one),
    })),
  );
}

/** All nodes that count, or with `externalTrafficPolicy: Local` those with the best endpoints. */
export function nodesOf(
  service: KubeObject,
  view: ClusterView,
  rules: SourceRules,
): readonly KubeObject[] {
  const listed = view.list(NODE);
  const nodes = listed.state === "value" ? listed.value : [];
  const counted = nodes.filter((node) => isCounted(node, rules));
  if (fieldsOf(service["spec"])["externalTrafficPolicy"] !== "Local") return counted;
  const readiness = new Map<string, number>();
  for (const { endpoint } of sliceEndpoints(service, view)) {
    const node = textOf(endpoint["nodeName"]) ?? "";
    readiness.set(node, Math.max(readiness.get(node) ?? 0, readinessOf(endpoint)));
  }
  const best = Math.max(0, ...readiness.values());
  return counted.filter(({ metadata }) => readiness.get(metadata.name) === best);
}

/** Ready before ending before not ready. `serving` is what the Pod itself says. */
function readinessOf({ conditions }: Fields): number {
  const { ready, serving, terminating } = fieldsOf(conditions);
  if ((serving ?? ready ?? true) !== true) return 1;
  return terminating === true ? 2 : 3;
}
