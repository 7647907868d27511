/** The records that a new zone of `dev` begins with. Pure. */

import type { ZoneRecordSet } from "@zonekeeper/dns/name-server/zone/zone-version";
import { childName, type DnsName } from "@zonekeeper/dns/names/dns-name";

/** Seconds; changes shall be seen at once while one is trying things out. */
const NEGATIVE_TTL_SECONDS = 5;
const TTL_SECONDS = 300;

/**
 * SOA, NS and the address of the name server (RFC 1035 §3.3.13). Nobody owns them: they have no
 * marker.
 */
export function firstRecords(apex: DnsName, address: string): readonly ZoneRecordSet[] {
  const server = childName("ns", apex) ?? apex;
  const type = address.includes(":") ? "AAAA" : "A";
  const soa = `${server} hostmaster.${apex} 1 3600 600 86400 ${NEGATIVE_TTL_SECONDS}`;
  return [
    { name: apex, type: "SOA", ttlSeconds: TTL_SECONDS, values: [soa] },
    { name: apex, type: "NS", ttlSeconds: TTL_SECONDS, values: [server] },
    { name: server, type, ttlSeconds: TTL_SECONDS, values: [address] },
  ];
}
