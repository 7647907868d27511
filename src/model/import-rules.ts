/** What is imported and where to. Data only. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";

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
