/**
 * What flags of external-dns say of all sources: which objects are left alone, which prefix
 * annotations have, which names and types are in scope. Such objects and names keep their records.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { AddressNet } from "../../model/address-net.ts";
import { type ExternalDnsRules, isInFilters, isInScope } from "../../model/external-dns-rules.ts";
import { objectKeyOf } from "../../model/object-key.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { heldItems, PROBLEM_WAIT } from "../shared/found.ts";
import { type Found, NOTHING, objectTransferOf, type Source } from "../source.ts";
import { withAnnotatedProperties } from "./annotated-properties.ts";
import { withDefaultTargets, withTargetNets } from "./flagged-targets.ts";
import { viewOf, withPrefix } from "./own-prefix.ts";

/** Nothing is wanted, and nothing is given up. */
// An object that leaves a filter keeps its records.
const LEFT_ALONE = { ...NOTHING, complete: false };

/** Kinds whose annotations say nothing of properties. */
const PLAIN: ReadonlySet<string> = new Set(["crd", "node"]);

/** The source with the rules; addresses in `excluded` are not published. */
export function byFlags(
  source: Source,
  rules: ExternalDnsRules,
  excluded: readonly AddressNet[],
): Source {
  const isKept = ({ name }: { readonly name: DnsName }): boolean => isInScope(name, rules.scope);
  const endpoints: Source["endpoints"] = (given, view) => {
    if (!isInFilters(given, rules) || !isOfKind(given, rules)) return LEFT_ALONE;
    const object = withPrefix(given, rules);
    const found = withFlaggedTargets(object, source.endpoints(object, viewOf(view, rules)));
    const objectTransfer = objectTransferOf(found);
    // A name that is outside keeps its record, so that nothing is proven.
    const isWhole = found.items.every(isKept) && found.waiting.every(isKept);
    return withoutAliases(object, rules, {
      ...found,
      items: found.items
        .filter((item) => isKept(item) && rules.types.has(item.type))
        .map((item) => ({
          ...item,
          ttlSeconds: item.ttlSeconds ?? rules.minTtlSeconds,
          properties: withoutFalse({ ...rules.properties, ...item.properties }),
        })),
      waiting: found.waiting.filter(isKept),
      complete: found.complete && isWhole,
      ...(objectTransfer === null ? {} : { objectTransfer }),
    });
  };
  const withFlaggedTargets = (object: KubeObject, found: Found<DesiredRecordSet>) => {
    const defaulted = withDefaultTargets(object, found, rules);
    const kept = withTargetNets(defaulted, rules, excluded);
    return PLAIN.has(source.name) ? kept : withAnnotatedProperties(object, kept, rules.provider);
  };
  return { ...source, endpoints };
}

/** What an object denies is as if nobody asked for it. */
function withoutFalse(properties: DesiredRecordSet["properties"]): DesiredRecordSet["properties"] {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== "false"));
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
