/**
 * What the API tells of a zone beside its records: the least TTL, which depends on the edition, and
 * the name servers. It shows neither the SOA nor the vendor's NS records; they are made from it.
 */
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Zone } from "../../model/zone.ts";
import { nameFromUnicode } from "../shared/dotted-rdata.ts";
import type { MadeApex } from "../shared/made-apex.ts";
import { countOf } from "./convert.ts";
import { APEX_TTL_SECONDS, SOA_TTL_SECONDS, TTL_SECONDS_MIN } from "./limits.ts";

/** Of one zone. */
export interface ZoneFacts {
  /** As calls name the zone; with the letters of its language. */
  readonly domainName: string;
  readonly ttlSecondsMin: number;
  readonly nameServers: readonly string[];
}

/** From `DescribeDomainInfo`. */
export function toFacts(fields: Fields, zone: Zone): ZoneFacts {
  const servers = fieldsOf(fields["DnsServers"])["DnsServer"];
  const texts = (Array.isArray(servers) ? servers : [servers]).flatMap((one) => textOf(one) ?? []);
  return {
    domainName: textOf(fields["DomainName"]) ?? zone.name,
    ttlSecondsMin: countOf(fields["MinTtl"]) ?? TTL_SECONDS_MIN,
    nameServers: texts.map(nameFromUnicode),
  };
}

/** What the servers answer for the apex, but for the serial. */
export function apexOf({ nameServers }: ZoneFacts): MadeApex {
  return {
    nameServers,
    nsTtlSeconds: APEX_TTL_SECONDS,
    soaTtlSeconds: SOA_TTL_SECONDS,
    // Refresh, retry, expire and minimum, as the vendor's servers answer.
    soaRest: "hostmaster.hichina.com 0 3600 1200 86400 600",
  };
}
