/**
 * What flags of external-dns say of the objects that its sources read, and of the names that these
 * may have. What is outside of a filter is left alone: it keeps what it has. Data, and what it
 * means of one object.
 */
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { LabelRule } from "@zonekeeper/kube/objects/label-rules";
import type { AddressNet } from "./addresses.ts";
import { EXTERNAL_DNS_PREFIXES } from "./annotation-keys.ts";
import { NO_SOURCE_RULES, type SourceRules } from "./source-rules.ts";

/** A regular expression about names. */
export interface NamePattern {
  readonly text: string;
  readonly matches: (name: DnsName) => boolean;
}

/** Null = none is given; names that are excluded are out, whatever else there is. */
export interface NamePatterns {
  readonly include: NamePattern | null;
  readonly exclude: NamePattern | null;
}

/** Names that a zone's owner asks for here; the others are left alone. */
export interface NameScope {
  /** Each name at or below one of them; empty = any. */
  readonly include: readonly DnsName[];
  readonly exclude: readonly DnsName[];
  /** Of those, the ones that mean what is below them alone. Absent = none. */
  readonly below?: Readonly<Record<"include" | "exclude", readonly DnsName[]>>;
  /** In place of the lists; absent or null = the lists count. */
  readonly patterns?: NamePatterns | null;
}

/** Read from flags; `NO_RULES` where none is given. */
export interface ExternalDnsRules extends SourceRules {
  /** Of annotations, of labels; all have to hold. Empty = any object. */
  readonly annotationFilter: readonly LabelRule[];
  readonly labelFilter: readonly LabelRule[];
  /** Prefixes of annotations, the first one first. */
  readonly prefixes: readonly string[];
  /** Empty = any. */
  readonly ingressClasses: readonly string[];
  readonly serviceTypes: readonly string[];
  readonly isClusterIpPublished: boolean;
  readonly ignoresTls: boolean;
  readonly ignoresRules: boolean;
  /** Load balancers of AWS get CNAME records; false = they get aliases. */
  readonly isAwsNamePlain: boolean;
  /** Addresses outside of all of them are not published; empty = any address is. */
  readonly targetNets: readonly AddressNet[];
  /** Record types; others are left alone. */
  readonly types: ReadonlySet<string>;
  /** Names and namespaces of Gateways, and their labels; empty = any. */
  readonly gateways: readonly LabelRule[];
  readonly gatewayName: string | null;
  readonly gatewayNamespace: string | null;
  /** Routes of ListenerSets are published; false = they are left alone. */
  readonly readsListenerSets: boolean;
  /** The one router of OpenShift whose word counts; null = the first one that admits a Route. */
  readonly openshiftRouter: string | null;
  readonly scope: NameScope;
  /** How names of markers are made, in lower case, and whether they can be read by a key alone. */
  readonly markers: {
    readonly prefix: string;
    readonly suffix: string;
    readonly wildcard: string;
    readonly isEncrypted: boolean;
  };
  /** Properties of records whose object says nothing of them: `proxied`. */
  readonly properties: Readonly<Record<string, string>>;
  /** The same of aliases alone: `evaluateTargetHealth`. */
  readonly aliasProperties: Readonly<Record<string, string>>;
  /** Selectors and types as they were given: other ones are another configuration (Z-16). */
  readonly text: string;
}

/** external-dns without such flags. */
export const NO_RULES: ExternalDnsRules = {
  ...NO_SOURCE_RULES,
  annotationFilter: [],
  labelFilter: [],
  prefixes: EXTERNAL_DNS_PREFIXES,
  ingressClasses: [],
  serviceTypes: [],
  isClusterIpPublished: false,
  ignoresTls: false,
  ignoresRules: false,
  isAwsNamePlain: true,
  targetNets: [],
  types: new Set(["A", "AAAA", "CNAME"]),
  gateways: [],
  gatewayName: null,
  gatewayNamespace: null,
  readsListenerSets: true,
  openshiftRouter: null,
  scope: { include: [], exclude: [] },
  markers: { prefix: "", suffix: "", wildcard: "", isEncrypted: false },
  properties: {},
  aliasProperties: {},
  text: "",
};

/** Whether the name is asked for here. */
export function isInScope(name: DnsName, scope: NameScope): boolean {
  const { include, below, patterns = null } = scope;
  if (patterns !== null)
    return patterns.exclude?.matches(name) !== true && patterns.include?.matches(name) !== false;
  const isIn = (list: "include" | "exclude"): boolean =>
    scope[list].some(
      (domain) =>
        isAtOrBelow(name, domain) && (name !== domain || below?.[list].includes(domain) !== true),
    );
  return (include.length === 0 || isIn("include")) && !isIn("exclude");
}

/** Namespace of the DNSProvider that flags describe; no cluster has one with a dot. */
export const FLAGS_NAMESPACE = "external-dns.flags";

/** Where the settings of an account are, for people. */
export function settingsText(namespace: string, name: string): string {
  return namespace === FLAGS_NAMESPACE
    ? "made from flags and environment of external-dns"
    : `secret ${namespace}/${name}`;
}

/** A DNSProvider (`namespace/name`), for people. */
export function providerText(id: string): string {
  return id.startsWith(`${FLAGS_NAMESPACE}/`) ? "the provider by flags" : `DNSProvider ${id}`;
}

/** The owner id that each external-dns has to which none was given (ADR 0119). */
export const SHARED_OWNER = "default";

/** The value that external-dns itself has in the annotation `controller`. */
const CONTROLLER = "dns-controller";

/** Whether the filters and the annotation `controller` leave the object to this program. */
export function isInFilters(
  object: KubeObject,
  { annotationFilter, labelFilter, prefixes }: ExternalDnsRules,
): boolean {
  const { annotations = {}, labels = {} } = object.metadata;
  return (
    annotationFilter.every((rule) => rule(annotations)) &&
    labelFilter.every((rule) => rule(labels)) &&
    isControlled(object, prefixes)
  );
}

/** Whether the annotation `controller` leaves the object to this program. */
function isControlled(
  { metadata: { annotations = {} } }: KubeObject,
  prefixes: readonly string[],
): boolean {
  return prefixes.every(
    (prefix) => (annotations[`${prefix}controller`] ?? CONTROLLER) === CONTROLLER,
  );
}

/** Whether flags let in Gateways of that name. */
export function isGatewayNamed(
  { name, namespace = "" }: { readonly name: string; readonly namespace?: string | undefined },
  { gatewayName, gatewayNamespace }: ExternalDnsRules,
): boolean {
  return (gatewayName ?? name) === name && (gatewayNamespace ?? namespace) === namespace;
}

/** Whether routes of the Gateway are published here. Its annotations are as sources read them. */
export function isGatewayServed(gateway: KubeObject, rules: ExternalDnsRules): boolean {
  const { labels = {} } = gateway.metadata;
  return (
    isGatewayNamed(gateway.metadata, rules) &&
    rules.gateways.every((rule) => rule(labels)) &&
    isControlled(gateway, EXTERNAL_DNS_PREFIXES)
  );
}
