/**
 * What the listing of zones tells beside their names: the plan, and the name servers. The API shows
 * neither SOA nor NS records of an apex; they are made of it.
 */
import { type Fields, fieldsOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import { nameFromUnicode } from "../shared/dotted-rdata.ts";
import type { MadeApex } from "../shared/made-apex.ts";
import { type PlanLimits, planLimits } from "./limits.ts";

/** Of one zone. */
export interface ZoneFacts {
  readonly limits: PlanLimits;
  /** Empty = the vendor does not answer for the zone (partial and internal ones). */
  readonly nameServers: readonly string[];
  /** Enterprise's internal DNS. */
  readonly isPrivate: boolean;
  /** Its records come from another primary server, and cannot be written. */
  readonly isSecondary: boolean;
}

/** From a zone of "List Zones" or "Zone Details". */
export function toFacts(zone: Fields): ZoneFacts {
  const type = textOf(zone["type"]) ?? "full";
  const vanity = textsOf(zone["vanity_name_servers"]) ?? [];
  const servers = vanity.length > 0 ? vanity : (textsOf(zone["name_servers"]) ?? []);
  return {
    limits: planLimits(textOf(fieldsOf(zone["plan"])["legacy_id"]) ?? ""),
    nameServers: type === "full" ? servers.map(nameFromUnicode) : [],
    isPrivate: type === "internal",
    isSecondary: type === "secondary",
  };
}

/** What the servers answer for the apex, but for the serial. */
export function apexOf({ nameServers }: ZoneFacts): MadeApex {
  return {
    nameServers,
    // Docs "Nameserver options": the default TTL of NS records.
    nsTtlSeconds: 86_400,
    // Docs "DNS record types", SOA: the defaults of TTL, refresh, retry, expire and minimum.
    soaTtlSeconds: 3600,
    soaRest: "dns.cloudflare.com 0 10000 2400 604800 1800",
  };
}
