/**
 * What flags of external-dns say of all sources: which objects are left alone, which prefix
 * annotations have, which names and types are in scope. Such objects and names keep their records.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView, Lookup } from "@zonekeeper/kube/ports/cluster-view";
import { EXTERNAL_DNS_PREFIXES } from "../../model/annotation-keys.ts";
import { type ExternalDnsRules, isInFilters, isInScope } from "../../model/external-dns-rules.ts";
import { objectKeyOf } from "../../model/object-key.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { heldItems, PROBLEM_WAIT } from "../shared/found.ts";
import { type Found, NOTHING, objectTransferOf, type Source } from "../source.ts";

/** Nothing is wanted, and nothing is given up. */
// An object that leaves a filter keeps its records.
const LEFT_ALONE = { ...NOTHING, complete: false };

/** The source with the rules. */
export function byFlags(source: Source, rules: ExternalDnsRules): Source {
  const endpoints: Source["endpoints"] = (object, view) => {
    if (!isInFilters(object, rules) || !isOfKind(object, rules)) return LEFT_ALONE;
    const found = source.endpoints(withPrefix(object, rules), viewOf(view, rules));
    const isKept = ({ name }: { readonly name: DnsName }): boolean => isInScope(name, rules.scope);
    const objectTransfer = objectTransferOf(found);
    // A name that is outside keeps its record, so that nothing is proven.
    const isWhole = found.items.every(isKept) && found.waiting.every(isKept);
    return withoutAliases(object, rules, {
      ...found,
      items: found.items
        .filter((item) => isKept(item) && rules.types.has(item.type))
        .map((item) => ({ ...item, properties: { ...rules.properties, ...item.properties } })),
      waiting: found.waiting.filter(isKept),
      complete: found.complete && isWhole,
      ...(objectTransfer === null ? {} : { objectTransfer }),
    });
  };
  return { ...source, endpoints };
}

/** Filters of one kind. */
function isOfKind(
  { kind, spec, metadata }: KubeObject & { readonly spec?: unknown },
  { ingressClasses, serviceTypes }: ExternalDnsRules,
): boolean {
  const { type, ingressClassName } = fieldsOf(spec);
  if (kind === "Service")
    return serviceTypes.length === 0 || serviceTypes.includes(textOf(type) ?? "ClusterIP");
  if (kind !== "Ingress" || ingressClasses.length === 0) return true;
  const annotated = metadata.annotations?.["kubernetes.io/ingress.class"];
  return ingressClasses.includes(textOf(ingressClassName) ?? annotated ?? "");
}

/** With the one prefix that counts written as the sources read it. */
function withPrefix(object: KubeObject, { prefixes }: ExternalDnsRules): KubeObject {
  const [first = ""] = prefixes;
  if (prefixes.length > 1) return object;
  const { annotations = {} } = object.metadata;
  const read = Object.entries(annotations).flatMap(([key, value]): [string, string][] => {
    if (key.startsWith(first))
      return [[`${EXTERNAL_DNS_PREFIXES[0]}${key.slice(first.length)}`, value]];
    return EXTERNAL_DNS_PREFIXES.some((prefix) => key.startsWith(prefix)) ? [] : [[key, value]];
  });
  return { ...object, metadata: { ...object.metadata, annotations: Object.fromEntries(read) } };
}

/** Gateways and Services are annotated as the objects themselves are. */
function viewOf(view: ClusterView, rules: ExternalDnsRules): ClusterView {
  if (rules.prefixes.length > 1) return view;
  const one = (object: KubeObject): KubeObject => withPrefix(object, rules);
  const all = (found: Lookup<readonly KubeObject[]>): typeof found =>
    found.state === "value" ? { ...found, value: found.value.map(one) } : found;
  return {
    clusterId: view.clusterId,
    get: (...asked) => {
      const found = view.get(...asked);
      return found.state === "value" ? { ...found, value: one(found.value) } : found;
    },
    list: (...asked) => all(view.list(...asked)),
    indexed: (...asked) => all(view.indexed(...asked)),
    state: (...asked) => view.state(...asked),
    trouble: (...asked) => view.trouble(...asked),
    newest: (...asked) => view.newest(...asked),
    subscribe: (...asked) => view.subscribe(...asked),
  };
}

/** Hosts for which Route 53 has alias records. */
const AWS_HOST = /(^|\.)(amazonaws\.com(\.cn)?|cloudfront\.net|awsglobalaccelerator\.com)$/;

/** Of a load balancer external-dns makes an alias, and a CNAME would take its place. */
function withoutAliases(
  object: KubeObject,
  { isAwsNamePlain }: ExternalDnsRules,
  found: Found<DesiredRecordSet>,
): Found<DesiredRecordSet> {
  const isAlias = ({ type, values }: DesiredRecordSet): boolean =>
    type === "CNAME" && values.some((value) => AWS_HOST.test(value.replace(/\.$/, "")));
  if (isAwsNamePlain || !found.items.some(isAlias)) return found;
  const problem = {
    code: "Unsupported",
    subject: resourceOf(objectKeyOf(object, "")),
    message:
      "external-dns makes an alias for this target, which is not built here; write a DNSEndpoint with providerSpecific alias and aws/target-hosted-zone, or give --aws-prefer-cname. The names of this object stay as they are",
  };
  return { ...heldItems(found, PROBLEM_WAIT), problems: [...found.problems, problem] };
}
