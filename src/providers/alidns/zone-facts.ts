/**
 * What the API tells of a zone beside its records: the least TTL, which depends on the edition, and
 * the name servers. It shows neither the SOA nor the vendor's NS records; they are made from it.
 */
import { canonicalValues } from "@zonekeeper/dns/rdata/canonical-values";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { nameFromUnicode } from "../shared/dotted-rdata.ts";
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

/** Refresh, retry, expire and minimum, as the vendor's servers answer. */
const SOA_TIMES = "3600 1200 86400 600";

/** The sets with SOA (without a serial, which is not told) and NS of the apex. */
export function withApex(
  sets: readonly RecordSet[],
  { name }: Zone,
  { nameServers }: ZoneFacts,
): readonly RecordSet[] {
  const [first] = nameServers;
  if (first === undefined) return sets;
  const listed = sets.find(
    (set) => set.name === name && set.type === "NS" && set.setIdentifier === null,
  );
  const plain = { name, setIdentifier: null, properties: {}, routingPolicy: null };
  return [
    ...sets.filter((set) => set !== listed),
    {
      ...plain,
      type: "NS",
      ttlSeconds: APEX_TTL_SECONDS,
      values: canonicalValues([...nameServers, ...(listed?.values ?? [])]),
    },
    {
      ...plain,
      type: "SOA",
      ttlSeconds: SOA_TTL_SECONDS,
      values: [`${first} hostmaster.hichina.com 0 ${SOA_TIMES}`],
    },
  ];
}
