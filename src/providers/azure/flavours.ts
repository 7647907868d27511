/**
 * The two services of Azure: public zones and private ones. They differ in names, fields, types and
 * limits, each with its source.
 */
import type { Capabilities, RateLimit } from "../provider.ts";

/** One of the two services. */
export interface Flavour {
  /** As in `DNSProvider.spec.type`. */
  readonly type: string;
  /** How messages name the service. */
  readonly vendor: string;
  /** The resource type below `Microsoft.Network`. */
  readonly resource: string;
  readonly apiVersion: string;
  /** Below a zone: the listing of all its record sets. */
  readonly listing: string;
  /** Public zones write `TTL` and `ARecords`, private ones `ttl` and `aRecords`. */
  readonly isPrivate: boolean;
  readonly capabilities: Capabilities;
}

/** Docs "Azure DNS limits": "Records per record set 20". */
export const VALUES_MAX = 20;
/** Docs "DNS zones and records": a TXT record set has up to 4096 characters, over all records. */
export const TEXT_BYTES_MAX = 4096;
/** dns.json: `TTL`; 0 is refused. */
const TTL = { minSeconds: 1, maxSeconds: 2_147_483_647 } as const;
/** RecordSets_List: `$top`; the service may send less. */
export const SETS_PER_PAGE = 1000;

/** Docs "DNS zones and records": "500 read (GET) operations per 5 minutes" for both services. */
const READS: RateLimit = { scope: "account", counts: "reads", burst: 100, perSecond: 1.3 };

/** One that each zone has for itself. */
function zoneLimit(counts: RateLimit["counts"], burst: number, perSecond: number): RateLimit {
  return { scope: "zone", counts, burst, perSecond };
}

const COMMON = {
  // One record set a call. If-None-Match and If-Match compare the record set that is written, so
  // that each write implies it; others are never compared. A CNAME beside other data is refused
  // (409).
  atomicity: "set",
  preconditions: {
    written: { absent: "implied", exact: "implied" },
    others: { absent: "never", exact: "never" },
  },
  cnameConflicts: "refused",
  batch: { groupsMax: 1 },
  ttl: TTL,
  // Azure Resource Manager, "request limits and throttling" (read 2026-11): 200 writes at once
  // and 10 a second for a subscription; others use it, too.
  rate: { burst: 100, perSecond: 10 },
} as const;

/** `Microsoft.Network/dnsZones`. */
export const PUBLIC: Flavour = {
  type: "azure-dns",
  vendor: "Azure DNS",
  resource: "dnsZones",
  apiVersion: "2018-05-01",
  listing: "recordsets",
  isPrivate: false,
  capabilities: {
    ...COMMON,
    types: new Set("A AAAA CAA CNAME MX NS PTR SRV TXT".split(" ")),
    // "Azure DNS API throttling" (read 2026-11): a minute of a zone has 200 creations, 200
    // updates, 200 deletions and 60 listings. All may be of one kind.
    rateLimits: [READS, zoneLimit("writes", 40, 2.5), zoneLimit("reads", 20, 0.6)],
  },
};

/** `Microsoft.Network/privateDnsZones`. */
export const PRIVATE: Flavour = {
  type: "azure-private-dns",
  vendor: "Azure Private DNS",
  resource: "privateDnsZones",
  apiVersion: "2020-06-01",
  listing: "ALL",
  isPrivate: true,
  capabilities: {
    ...COMMON,
    types: new Set("A AAAA CNAME MX PTR SRV TXT".split(" ")),
    // "Private DNS API throttling" (read 2026-11): a minute of a zone has 60 creations, 60
    // updates, 60 deletions and 100 listings.
    rateLimits: [READS, zoneLimit("writes", 15, 0.7), zoneLimit("reads", 20, 1)],
  },
};
