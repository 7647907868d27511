/**
 * What flags of external-dns say of all sources: which objects are left alone, which prefix
 * annotations have, which names and types are in scope. Such objects and names keep their records.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { AddressNet } from "../../model/addresses.ts";
import { awsAliasTarget } from "../../model/aws-alias-zones.ts";
import { type ExternalDnsRules, isInFilters, isInScope } from "../../model/external-dns-rules.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { aliased } from "../shared/annotated-items.ts";
import { annotationField } from "../shared/annotations.ts";
import { heldItems } from "../shared/found.ts";
import { type Found, NOTHING, objectTransferOf, type Source } from "../source.ts";
import { withAnnotatedProperties } from "./annotated-properties.ts";
import { withDefaultTargets, withTargetNets } from "./flagged-targets.ts";
import { unreadKeys, viewOf, withPrefix } from "./own-prefix.ts";

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
    const unread = new Map<string, Problem>();
    const onRead = (one: KubeObject): void => {
      for (const key of unreadKeys(one, rules))
        if (one === given || (isTarget(key) && PARENTS.has(one.kind)))
          unread.set(key, unreadProblem(given, one, key));
    };
    if (!PLAIN.has(source.name)) onRead(given);
    const read = source.endpoints(object, viewOf(view, rules, onRead));
    const found = withFlaggedTargets(object, withoutUnread(read, unread));
    const objectTransfer = objectTransferOf(found);
    const names = [...found.items, ...found.waiting];
    return {
      ...found,
      // Somebody else publishes those names, and tells what is wrong with them.
      problems: names.length === 0 || names.some(isKept) ? found.problems : [],
      items: found.items
        .filter(isKept)
        .flatMap((item) => withDefaults(item, rules))
        .filter(({ type }) => rules.types.has(type)),
      // A record at a name that is outside stays by a rule of its own (name-out-of-scope-stays).
      waiting: found.waiting.filter(isKept),
      ...(objectTransfer === null ? {} : { objectTransfer }),
    };
  };
  const withFlaggedTargets = (object: KubeObject, found: Found<DesiredRecordSet>) => {
    const defaulted = withDefaultTargets(object, found, rules);
    const kept = withTargetNets(defaulted, rules, excluded);
    return PLAIN.has(source.name) ? kept : withAnnotatedProperties(object, kept, rules);
  };
  return { ...source, endpoints };
}

/** Their annotation `target` is that of the routes which are attached to them. */
const PARENTS: ReadonlySet<string> = new Set(["Gateway", "ListenerSet"]);

const isTarget = (key: string): boolean => key.endsWith("/target");

/**
 * Who changes the flag takes no names away, and does not mean what the objects report in place of
 * their targets (external-dns #6424, #6748; ADR 0147).
 */
function withoutUnread(
  found: Found<DesiredRecordSet>,
  unread: ReadonlyMap<string, Problem>,
): Found<DesiredRecordSet> {
  if (unread.size === 0) return found;
  const targets = [...unread].flatMap(([key, problem]) => (isTarget(key) ? problem : []));
  if (targets.length === 0 || found.items.length === 0)
    return { ...found, /* clause: unread-names-stay */ complete: false };
  return /* clause: unread-target-waits */ heldItems(found, ...targets);
}

function unreadProblem(object: KubeObject, of: KubeObject, key: string): Problem {
  const { namespace = "", name } = of.metadata;
  const where = of === object ? "" : ` of ${of.kind} ${namespace}/${name}`;
  return {
    code: "Unsupported",
    subject: resourceOf(objectKeyOf(object, "")),
    message:
      "it has another prefix than --annotation-prefix, and is not read. Write it under that prefix, take it off, or leave the flag out. The names of this object stay as they are",
    field: `${annotationField(key)}${where}`,
  };
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

/** Properties that only an alias has. */
const OF_ALIASES: ReadonlySet<string> = new Set(["evaluateTargetHealth", "aliasHostedZoneId"]);

/** With the aliases that external-dns makes of CNAMEs, and its defaults for them. */
function withDefaults(
  item: DesiredRecordSet,
  { isAwsNamePlain, aliasProperties, properties, ...rules }: ExternalDnsRules,
): readonly DesiredRecordSet[] {
  const [value = ""] = item.values;
  const ttlSeconds = item.ttlSeconds ?? rules.minTtlSeconds;
  const isMade = !isAwsNamePlain && awsAliasTarget(value)?.isMade === true;
  return aliased({
    ...item,
    ttlSeconds: ttlSeconds === null ? null : Math.max(ttlSeconds, rules.leastTtlSeconds),
    properties: {
      ...properties,
      ...(isMade && item.type === "CNAME" ? { alias: "true" } : {}),
      ...item.properties,
    },
  }).map((one) => {
    const isAlias = one.properties["alias"] === "true";
    const all = { ...(isAlias ? aliasProperties : {}), ...one.properties };
    // What an object denies, or says of an alias that it is not, is as if nobody asked for it.
    const isAsked = ([key, text]: readonly [string, string]): boolean =>
      text !== "false" && (isAlias || !OF_ALIASES.has(key));
    return { ...one, properties: Object.fromEntries(Object.entries(all).filter(isAsked)) };
  });
}
