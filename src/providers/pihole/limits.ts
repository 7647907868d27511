/** Pi-hole 6 and what it can do, each with its source (FTL's `src/api/config.c`, 2026-11). */
import type { Capabilities } from "../provider.ts";

/** Lines of `dns.hosts` and `dns.cnameRecords`; there is no list of other records. */
const WRITABLE_TYPES: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME"]);

/**
 * Seconds that stand for "none is said": dnsmasq answers such a record with its own TTL. Addresses
 * never say one.
 */
export const TTL_SECONDS_UNSAID = 300;
/** Lines that are kept for an account. */
export const KNOWN_LINES_MAX = 50_000;
/** Milliseconds for one call, with its answer. */
export const CALL_TIMEOUT_MS = 30_000;

const NEVER = { absent: "never", exact: "never" } as const;

/** See `Capabilities`. */
export const CAPABILITIES: Capabilities = {
  types: WRITABLE_TYPES,
  // One line a call; "Uniqueness of items is enforced", and nothing else is compared.
  atomicity: "value",
  preconditions: { written: NEVER, others: NEVER },
  // It would take a CNAME beside a line of hosts; the session does not send one.
  cnameConflicts: "refused",
  batch: { groupsMax: 1 },
  ttl: { minSeconds: 1, maxSeconds: 2_147_483_647 },
  txt: { stringBytesMax: 0, valueBytesMax: 0 },
  routingPolicies: new Set(),
  // A line of `cnameRecords` restarts its resolver; the API gives no number.
  rate: { burst: 20, perSecond: 5 },
  consistency: "read-your-writes",
  zoneListing: "configured",
};
