/**
 * What flags of external-dns say of the objects that its sources read, and of the names that these
 * may have. What is outside of a filter is left alone: it keeps what it has. Data, and what it
 * means of one object.
 */

import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { LabelRule } from "@zonekeeper/kube/objects/label-rules";
import { type AddressNet, isInNet } from "./address-net.ts";
import { EXTERNAL_DNS_PREFIXES } from "./annotation-keys.ts";

/** Names that a zone's owner asks for here; the others are left alone. */
export interface NameScope {
  /** Each name at or below one of them; empty = any. */
  readonly include: readonly DnsName[];
  readonly exclude: readonly DnsName[];
}

/** Read from flags; `NO_RULES` where none is given. */
export interface ExternalDnsRules {
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
  /** Load balancers of AWS get CNAME records; false = external-dns makes aliases of them. */
  readonly isAwsNamePlain: boolean;
  /** Addresses outside of all of them are not published; empty = any address is. */
  readonly targetNets: readonly AddressNet[];
  /** Record types; others are left alone. */
  readonly types: ReadonlySet<string>;
  /** Names and namespaces of Gateways, and their labels; empty = any. */
  readonly gateways: readonly LabelRule[];
  readonly gatewayName: string | null;
  readonly gatewayNamespace: string | null;
  readonly scope: NameScope;
  /** Properties of records whose object says nothing of them: `proxied`. */
  readonly properties: Readonly<Record<string, string>>;
  /** Selectors and types as they were given: other ones are another configuration (Z-16). */
  readonly text: string;
}

/** external-dns without such flags. */
export const NO_RULES: ExternalDnsRules = {
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
  scope: { include: [], exclude: [] },
  properties: {},
  text: "",
};

/** Whether the name is asked for here. */
export function isInScope(name: DnsName, { include, exclude }: NameScope): boolean {
  return (
    (include.length === 0 || include.some((domain) => isAtOrBelow(name, domain))) &&
    !exclude.some((domain) => isAtOrBelow(name, domain))
  );
}

/** The owner id that each external-dns has to which none was given (ADR 0119). */
export const SHARED_OWNER = "default";

/** The value that external-dns itself has in the annotation `controller`. */
const CONTROLLER = "dns-controller";

/** Whether the filters and the annotation `controller` leave the object to this program. */
export function isInFilters(
  { metadata: { annotations = {}, labels = {} } }: KubeObject,
  { annotationFilter, labelFilter, prefixes }: ExternalDnsRules,
): boolean {
  const controllers = prefixes.flatMap((prefix) => annotations[`${prefix}controller`] ?? []);
  return (
    annotationFilter.every((rule) => rule(annotations)) &&
    labelFilter.every((rule) => rule(labels)) &&
    controllers.every((one) => one === CONTROLLER)
  );
}

/** Whether routes of the Gateway are published here. */
export function isGatewayServed(
  { metadata: { name, namespace = "", labels = {} } }: KubeObject,
  { gateways, gatewayName, gatewayNamespace }: ExternalDnsRules,
): boolean {
  return (
    gateways.every((rule) => rule(labels)) &&
    (gatewayName ?? name) === name &&
    (gatewayNamespace ?? namespace) === namespace
  );
}

/** Host names are in each net. */
export function isInTargetNets(target: string, nets: readonly AddressNet[]): boolean {
  const isAddress = /^[\d.]+$/.test(target) || target.includes(":");
  return nets.length === 0 || !isAddress || nets.some((net) => isInNet(target, net));
}
