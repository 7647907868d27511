/**
 * What the listing of zones tells beside their names: the plan, and the name servers. The API shows
 * neither SOA nor NS records of an apex; they are made from it.
 */
import { canonicalValues } from "@zonekeeper/dns/rdata/canonical-values";
import { type Fields, fieldsOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { nameFromUnicode } from "../shared/dotted-rdata.ts";
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

/** Docs "Nameserver options": the default TTL of NS records. */
const NS_TTL_SECONDS = 86_400;
/** Docs "DNS record types", SOA: the defaults of TTL, refresh, retry, expire and minimum. */
const SOA_TTL_SECONDS = 3600;
const SOA_TIMES = "10000 2400 604800 1800";

/**
 * The sets with SOA (without a serial, which is not told) and NS of an apex that the vendor answers
 * for. NS records of other vendors at the apex are among its own.
 */
export function withApex(
  sets: readonly RecordSet[],
  { name }: Zone,
  { nameServers }: ZoneFacts,
): readonly RecordSet[] {
  const [first] = nameServers;
  if (first === undefined) return sets;
  const listed = sets.find((set) => set.name === name && set.type === "NS");
  const plain = { name, setIdentifier: null, properties: {}, routingPolicy: null };
  return [
    ...sets.filter((set) => set !== listed),
    {
      ...plain,
      type: "NS",
      ttlSeconds: NS_TTL_SECONDS,
      values: canonicalValues([...nameServers, ...(listed?.values ?? [])]),
    },
    {
      ...plain,
      type: "SOA",
      ttlSeconds: SOA_TTL_SECONDS,
      values: [`${first} dns.cloudflare.com 0 ${SOA_TIMES}`],
    },
  ];
}
