/** Limits of Cloudflare by plan and what its API can do; each with its source. */
import type { Capabilities } from "../provider.ts";

/** Types that both sides know (API reference, "Create DNS Record"). SOA is the vendor's. */
const WRITABLE_TYPES: ReadonlySet<string> = new Set(
  "A AAAA CAA CNAME DS HTTPS MX NAPTR NS PTR SRV SSHFP SVCB TLSA TXT URI".split(" "),
);

/** API reference: "only A, AAAA, and CNAME records can be proxied". */
export const PROXIABLE_TYPES: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME"]);

/** Numbers; each with its source. */
export const LIMITS = {
  /** "Setting to 1 means 'automatic'", and docs "TTL": automatic is 300 seconds. */
  ttlAutomatic: 1,
  /** Seconds that an automatic TTL is. */
  ttlAutomaticSeconds: 300,
  /** "Value must be between 60 and 86400". */
  ttlSecondsMax: 86_400,
  /** "Record content exceeds the allowed length of 4096 wire format bytes" (error 9015). */
  contentBytesMax: 4096,
  /** Docs "DNS record types": content of all TXT records of a name together. */
  textCharactersMax: 8192,
  /** Records of one page; the answer of more is too large to be held at once. */
  recordsPerPage: 5000,
  /** Questions for names that are asked rather than one page of a whole zone. */
  questionsPerPage: 5,
  /** List Zones: per_page, at most 50. */
  zonesPerPage: 50,
} as const;

/** What depends on the plan of a zone. */
export interface PlanLimits {
  /** Docs "Batch record changes": records that one call may delete, change and create. */
  readonly operationsMax: number;
  /** "with the minimum reduced to 30 for Enterprise zones". */
  readonly ttlSecondsMin: number;
  /** Docs "Record attributes": tags of records; an older plan may have left some. */
  readonly hasTags: boolean;
}

/** Of a zone whose plan is not known, too. */
const FREE: PlanLimits = { operationsMax: 200, ttlSecondsMin: 60, hasTags: false };
const PAID: PlanLimits = { operationsMax: 3500, ttlSecondsMin: 60, hasTags: true };
const ENTERPRISE: PlanLimits = { ...PAID, ttlSecondsMin: 30 };

/** By `plan.legacy_id` of a zone. */
export function planLimits(plan: string): PlanLimits {
  if (plan === "enterprise") return ENTERPRISE;
  return plan === "pro" || plan === "business" ? PAID : FREE;
}

/** Values of one record set that can be replaced by as many in one call, with their markers. */
export function valuesMaxOf({ operationsMax }: PlanLimits): number {
  return Math.floor(operationsMax / 2) - 4;
}

const NEVER = { absent: "never", exact: "never" } as const;

/** See `Capabilities`. */
export function capabilitiesOf({ operationsMax, ttlSecondsMin }: PlanLimits): Capabilities {
  return {
    types: WRITABLE_TYPES,
    // "a single database transaction"; "If any of the individual action fails, no changes are
    // applied". It compares nothing but identical records and CNAMEs beside addresses.
    atomicity: "zone",
    preconditions: { written: NEVER, others: NEVER },
    cnameConflicts: "refused",
    batch: { groupsMax: operationsMax, valuesMax: operationsMax },
    ttl: { minSeconds: ttlSecondsMin, maxSeconds: LIMITS.ttlSecondsMax },
    // Docs "CNAME flattening": at the apex, for every plan.
    flattensApex: true,
    // Docs "Rate limits" (read 2026-11): 1200 requests in five minutes for a user, or five minutes
    // without any. 50 + 300 s × 3.5 are 1100: others use it, too.
    rate: { burst: 50, perSecond: 3.5 },
  };
}
