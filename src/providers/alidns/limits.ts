/** Limits of Alibaba Cloud DNS (API 2015-01-09) and what it can do; each with its source. */
import type { Capabilities } from "../provider.ts";

/** `RecordType` of "AddDomainRecord", without redirects and what we cannot compare. */
export const WRITABLE_TYPES: ReadonlySet<string> = new Set(
  "A AAAA CAA CNAME MX NS SRV TXT".split(" "),
);

/** Numbers; each with its source. */
export const LIMITS = {
  /** "TTL": by edition; the free one has the highest least. DNSControl, 2025-12-03. */
  ttlSecondsMin: 600,
  ttlSecondsMax: 86_400,
  /** DNSControl, 2025-12-03: 511 characters are taken, 764 are not. */
  textCharactersMax: 511,
  /** RFC 1035 §3.3.14; a longer text is served in pieces. */
  textStringBytes: 255,
  /** "AddDomainRecord": 1 to 50. */
  mailPreferenceMax: 50,
  /** "AddDomainRecord", QuotaExceeded.Record: records of one host, type and line. */
  valuesMax: 90,
  /** "DescribeDomains": PageSize at most 100. */
  zonesPerPage: 100,
  /** "DescribeDomainRecords": PageSize at most 500. */
  recordsPerPage: 500,
  /** "DescribeSubDomainRecords": at most 500 in one language of the document, 100 in another. */
  questionPerPage: 100,
  /** Names that are asked for one by one rather than the whole zone. */
  questionsMax: 5,
  /** Seconds that the vendor's own NS and SOA records have. */
  apexTtlSeconds: 86_400,
  soaTtlSeconds: 600,
} as const;

const NEVER = { absent: "never", exact: "never" } as const;

/** See `Capabilities`. The least TTL is the zone's own. */
export function capabilitiesOf(ttlSecondsMin: number): Capabilities {
  return {
    types: WRITABLE_TYPES,
    // One record a call. A record beside an equal one is refused, and an id that is gone; nothing
    // else is compared.
    atomicity: "value",
    preconditions: { written: NEVER, others: NEVER },
    // DomainRecordConflict.
    cnameConflicts: "refused",
    batch: { groupsMax: 1 },
    ttl: { minSeconds: ttlSecondsMin, maxSeconds: LIMITS.ttlSecondsMax },
    // The vendor's web servers, which redirect (2026-11: "Explicit URL", "Implicit URL").
    ownTypes: { REDIRECT_URL: "alias", FORWARD_URL: "alias" },
    // "Notice on API throttling", 2025-01-15, gives no numbers. Gardener's dns-controller-manager
    // asks 25 times a second.
    rate: { burst: 25, perSecond: 25 },
  };
}
