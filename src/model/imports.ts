/**
 * Hosts of a zone that become objects (ADR 0125): what is imported and where to, how an object says
 * that it was, and names that are neither imported nor published.
 */
import { type DnsName, isAtOrBelow, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { FIELD_MANAGER } from "@zonekeeper/kube/objects/kubernetes";

/** A port of an imported host. */
export interface ImportPort {
  /** Unique in its object: `https`, `tcp-pg`. */
  readonly name: string;
  /** 1 to 65535. */
  readonly number: number;
  /** As Istio spells it: `HTTPS`. */
  readonly protocol: string;
}

/** Protocols of Istio's ports by the beginning of a port's name; another one is `TCP`. */
const PROTOCOLS: Readonly<Record<string, string>> = {
  http: "HTTP",
  https: "HTTPS",
  http2: "HTTP2",
  grpc: "GRPC",
  mongo: "MONGO",
  tls: "TLS",
};

/** Its protocol is what its name begins with, as Istio's protocol selection has it. */
export function portOf(name: string, number: number): ImportPort {
  return { name, number, protocol: PROTOCOLS[name.split("-", 1)[0] ?? ""] ?? "TCP" };
}

/** One import: from a zone into a namespace. */
export interface ImportRules {
  /** Apex of the zone, or its id where several have that apex. */
  readonly zone: string;
  readonly namespace: string;
  /** Of hosts without SRV records; empty = these are not imported. */
  readonly ports: readonly ImportPort[];
  /** Only names at or below one of these; empty = all of the zone. */
  readonly domains: readonly DnsName[];
  /** Not names at or below one of these. */
  readonly excluded: readonly DnsName[];
}

/** `dns` = it came from a zone. */
export const ORIGIN_LABEL = "zonekeeper.dev/origin";
/** Fingerprint of the spec as it was imported. */
export const BASE_ANNOTATION = "zonekeeper.dev/base";

/**
 * True for what was imported, also where a copy of it lost its label, or somebody its annotations:
 * it is never published.
 */
export function isImported({ metadata }: KubeObject): boolean {
  const { labels = {}, annotations = {}, specManagers = [] } = metadata;
  return (
    labels[ORIGIN_LABEL] === "dns" ||
    annotations[BASE_ANNOTATION] !== undefined ||
    specManagers.includes(FIELD_MANAGER)
  );
}

/** Clusters, sets of clusters (KEP-1645), Consul. */
const DOMAINS = ["cluster.local", "clusterset.local", "service.consul"].map(trustedDnsName);

/** True at and below their domains. */
export function isNameOfOthers(name: DnsName): boolean {
  return DOMAINS.some((domain) => isAtOrBelow(name, domain));
}
