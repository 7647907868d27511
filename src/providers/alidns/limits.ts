/** Limits of Alibaba Cloud DNS (API 2015-01-09) and what it can do; each with its source. */
import type { Capabilities } from "../provider.ts";

/** `RecordType` of "AddDomainRecord", without redirects and what we cannot compare. */
export const WRITABLE_TYPES: ReadonlySet<string> = new Set(
  "A AAAA CAA CNAME MX NS SRV TXT".split(" "),
);

/** "TTL": by edition; the free one has the highest least. DNSControl, 2025-12-03. */
export const TTL_SECONDS_MIN = 600;
export const TTL_SECONDS_MAX = 86_400;
/** DNSControl, 2025-12-03: 511 characters are taken, 764 are not. */
export const TEXT_CHARACTERS_MAX = 511;
/** RFC 1035 §3.3.14; a longer text is served in pieces. */
export const TEXT_STRING_BYTES = 255;
/** "AddDomainRecord": 1 to 50. */
export const MAIL_PREFERENCE_MAX = 50;
/** "AddDomainRecord", QuotaExceeded.Record: records of one host, type and line. */
export const VALUES_MAX = 90;
/** "DescribeDomains": PageSize at most 100. */
export const ZONES_PER_PAGE = 100;
/** "DescribeDomainRecords": PageSize at most 500. */
export const RECORDS_PER_PAGE = 500;
/** "DescribeSubDomainRecords": at most 500 in one language of the document, 100 in another. */
export const QUESTION_PER_PAGE = 100;
/** Names that are asked for one by one rather than the whole zone. */
export const QUESTIONS_MAX = 5;
/** Records whose ids are kept for an account. */
export const KNOWN_RECORDS_MAX = 100_000;
/** Milliseconds for one call, with its answer. */
export const CALL_TIMEOUT_MS = 60_000;
/** Seconds that the vendor's own NS and SOA records have. */
export const APEX_TTL_SECONDS = 86_400;
export const SOA_TTL_SECONDS = 600;

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
    ttl: { minSeconds: ttlSecondsMin, maxSeconds: TTL_SECONDS_MAX },
    txt: { stringBytesMax: TEXT_STRING_BYTES, valueBytesMax: TEXT_CHARACTERS_MAX },
    // The vendor's web servers, which redirect (2026-11: "Explicit URL", "Implicit URL").
    ownTypes: { REDIRECT_URL: "alias", FORWARD_URL: "alias" },
    routingPolicies: new Set(),
    // "Notice on API throttling", 2025-01-15, gives no numbers. Gardener's dns-controller-manager
    // asks 25 times a second.
    rate: { burst: 25, perSecond: 25 },
    consistency: "read-your-writes",
  };
}
