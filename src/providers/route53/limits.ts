/** Limits of Amazon Route 53 and what it can do; each with its source. */
import type { Capabilities } from "../provider.ts";

/**
 * Types that both sides know (developer guide, "Supported DNS record types"). SOA is the vendor's.
 */
export const WRITABLE_TYPES: ReadonlySet<string> = new Set(
  "A AAAA CAA CNAME DS HTTPS MX NAPTR NS PTR SRV SSHFP SVCB TLSA TXT".split(" "),
);

/** API reference of ResourceRecordSet: TTL. */
export const TTL_SECONDS_MAX = 2_147_483_647;
/** Developer guide, "Quotas on records": values of one record set. */
export const VALUES_MAX = 400;
/** Developer guide, "TXT record type": characters of one value. */
export const TEXT_CHARACTERS_MAX = 4000;
/** An alias has no TTL of its own; what stands here is only compared with itself. */
export const ALIAS_TTL_SECONDS = 60;
/** ListResourceRecordSets: MaxItems. */
export const SETS_PER_PAGE = 300;
/** Record sets at one name that the first page of a question for it has room for. */
export const SETS_PER_NAME = 100;
/** Milliseconds for one call, with its answer. */
export const CALL_TIMEOUT_MS = 30_000;

/** See `Capabilities`. */
export const CAPABILITIES: Capabilities = {
  types: WRITABLE_TYPES,
  // "All or none" of a batch, ChangeResourceRecordSets; CREATE fails for what exists, and DELETE
  // for other values than it names. A CNAME beside other data is refused aloud.
  atomicity: "zone",
  preconditions: {
    written: { absent: "implied", exact: "implied" },
    others: { absent: "never", exact: "rewritten" },
  },
  cnameConflicts: "refused",
  // "A request cannot contain more than 1,000 ResourceRecord elements", "the sum of the number of
  // characters (including spaces) in all Value elements cannot exceed 32,000".
  batch: { groupsMax: 1000, valuesMax: 1000, charactersMax: 32_000 },
  ttl: { minSeconds: 0, maxSeconds: TTL_SECONDS_MAX },
  // Developer guide, "Quotas": "five requests per second per AWS account" (read 2026-11).
  // Since 2026-07 accounts may have 50 at once and 10 a second, and a limit of changes without a
  // number: what every account has is kept to.
  rate: { burst: 5, perSecond: 5 },
  // "If Route 53 can't process a request before the next request arrives, it will reject
  // subsequent requests for the same hosted zone" (PriorRequestNotComplete): one at a time, and no
  // zone takes the burst of the account from the others.
  rateLimits: [{ scope: "zone", counts: "writes", burst: 1, perSecond: 5 }],
};
