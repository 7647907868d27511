/** The webhook protocol of external-dns and what it can do. */
import type { Capabilities } from "../provider.ts";

/** In `Accept` and `Content-Type` (external-dns `provider/webhook/api`). */
export const MEDIA_TYPE = "application/external.dns.webhook+json;version=1";

/** Types of endpoints (external-dns `endpoint/endpoint.go`). */
export const WRITABLE_TYPES: ReadonlySet<string> = new Set(
  "A AAAA CNAME MX NAPTR NS PTR SRV TXT".split(" "),
);

/** Seconds of a record set of which the webhook tells none. */
export const TTL_SECONDS_DEFAULT = 300;
/** Endpoints that are kept as they were read, for an account. */
export const KNOWN_ENDPOINTS_MAX = 20_000;

const NEVER = { absent: "never", exact: "never" } as const;

/** See `Capabilities`. */
export const CAPABILITIES: Capabilities = {
  types: WRITABLE_TYPES,
  // The protocol promises neither that changes of one call are made together nor that anything is
  // compared; what a webhook does with a record set that exists is its own business.
  atomicity: "set",
  preconditions: { written: NEVER, others: NEVER },
  wholeSets: true,
  cnameConflicts: "dropped",
  batch: { groupsMax: 1 },
  ttl: { minSeconds: 1, maxSeconds: 2_147_483_647 },
  // Vendors behind webhooks have types of many names.
  ownTypes: { ALIAS: "alias", ANAME: "alias" },
  rate: { burst: 20, perSecond: 10 },
  zoneListing: "configured",
};
