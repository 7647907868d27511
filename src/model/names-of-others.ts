/** Names that clusters and meshes answer themselves: never published, and never imported. */
import { type DnsName, isAtOrBelow, trustedDnsName } from "@zonekeeper/dns/names/dns-name";

/** Clusters, sets of clusters (KEP-1645), Consul. */
const DOMAINS = ["cluster.local", "clusterset.local", "service.consul"].map(trustedDnsName);

/** True at and below their domains. */
export function isNameOfOthers(name: DnsName): boolean {
  return DOMAINS.some((domain) => isAtOrBelow(name, domain));
}
