/** Limits of Google Cloud DNS and what it can do; each with its source. */
import type { Capabilities } from "../provider.ts";

/** Types that both sides know (docs "DNS records overview"); ALIAS and SPF are read only. */
export const WRITABLE_TYPES: ReadonlySet<string> = new Set(
  "A AAAA CAA CNAME DNSKEY DS HTTPS MX NAPTR NS PTR SRV SSHFP SVCB TLSA TXT".split(" "),
);

/** RFC 2181 §8; docs "Error messages", invalidValue: "a non-negative integer". */
export const TTL_SECONDS_MAX = 2_147_483_647;
/** Docs "Quotas and limits": "Records per RR set 100", "each delegation … up to eight". */
export const VALUES_MAX = 100;
export const NAME_SERVERS_MAX = 8;
/**
 * Docs "Quotas and limits": "Additions per change 1,000", "Deletions per change 1,000", "Resource
 * record data size per change 100,000 bytes".
 */
const SETS_PER_CHANGE = 1000;
const DATA_BYTES_PER_CHANGE = 100_000;
/** Discovery document, rrsets.list: maxResults; the server may send less. */
export const SETS_PER_PAGE = 1000;

/** See `Capabilities`. */
export const CAPABILITIES: Capabilities = {
  types: WRITABLE_TYPES,
  // changes.create "atomically updates the ResourceRecordSet collection": an addition fails for
  // what exists (alreadyExists), a deletion for other data than it names (conditionNotMet). A
  // CNAME beside other data is refused aloud (cnameResourceRecordSetConflict).
  atomicity: "zone",
  preconditions: {
    written: { absent: "implied", exact: "implied" },
    others: { absent: "never", exact: "rewritten" },
  },
  cnameConflicts: "refused",
  // Names get a dot each. What a routing policy has besides is not counted: a change that is too
  // large for it is refused (quotaExceeded) and halved.
  batch: {
    groupsMax: SETS_PER_CHANGE,
    additionsMax: SETS_PER_CHANGE,
    deletionsMax: SETS_PER_CHANGE,
    charactersMax: DATA_BYTES_PER_CHANGE - 1000,
  },
  ttl: { minSeconds: 0, maxSeconds: TTL_SECONDS_MAX },
  ownTypes: { ALIAS: "alias" },
  membersShareTtl: true,
  // Docs "Quotas and limits" (read 2026-11): "Read limit for a minute for a region", "Write limit
  // for a minute for a region" are quotas of each project, apart from each other, whose numbers its
  // owner alone is shown. These are ours: 150 and 450 a minute.
  rate: { burst: 20, perSecond: 10 },
  rateLimits: [
    { scope: "account", counts: "reads", burst: 10, perSecond: 2.5 },
    { scope: "account", counts: "writes", burst: 15, perSecond: 7.5 },
  ],
};
