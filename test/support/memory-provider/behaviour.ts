/**
 * How a memory zone behaves: a class A back end by default, or like one of the real ones. Data
 * only; each behaviour that imitates somebody names its source, so that nobody has to trust our
 * imagination.
 */
import { RDATA_FORMATS } from "@zonekeeper/dns/rdata/index";
import type { Capabilities } from "../../../src/providers/provider.ts";

/** Everything in which back ends differ and a controller can notice. */
export interface MemoryBehaviour {
  /** Record types that can be written; absent = all but SOA. */
  readonly types?: readonly string[];
  /**
   * `zone`: a call is all or nothing. `set`: each record set by itself, in order, until one fails.
   * `value`: each value by itself.
   */
  readonly atomicity: "zone" | "set" | "value";
  /** Which preconditions are checked with the write: all but `never`. */
  readonly preconditions: Capabilities["preconditions"];
  /** `exact` compares a tag that each write changes, as well as the values (RFC 9110 §13.1.1). */
  readonly hasTags: boolean;
  /**
   * `refuse`: creating what exists, or a CNAME beside other data, is refused aloud. `merge`: a
   * create is taken beside what exists, unless it has a value of it. `rfc2136`: so it is, and a
   * CNAME conflict is dropped in silence with a good answer (RFC 2136 §3.4.2.2).
   */
  readonly conflicts: "refuse" | "merge" | "rfc2136";
  /**
   * True = a record set is as the last call has it, and what came to it since it was read is lost.
   * False = values are added and removed.
   */
  readonly wholeSets: boolean;
  readonly batch: Capabilities["batch"];
  /** Seconds, inclusive; what is outside is clamped. */
  readonly ttl: Capabilities["ttl"];
  /**
   * Milliseconds by which reads lag behind writes; 0 = reads see everything. Preconditions always
   * see everything.
   */
  readonly readLagMs: number;
  /** Milliseconds that a call takes, half of them before it takes effect. */
  readonly latencyMs: number;
  /** Strips trailing spaces from TXT strings. */
  readonly trimsText: boolean;
  /** Names may have `*` elsewhere than as their first label. */
  readonly starInNames: boolean;
  /** A CNAME at the apex is refused beside addresses only. */
  readonly flattensApex: boolean;
  readonly changeToken: "serial" | "none";
  /** A delta tells what became of records, not only which names moved. */
  readonly deltaRecords: boolean;
  readonly rate: Capabilities["rate"];
  /**
   * Changes are PENDING for so long, and each so-many-th ends as ERROR; absent = they have no
   * receipts. Reads show them at once.
   */
  readonly pending?: { readonly forMs: number; readonly errorEvery: number };
  /** Record sets that one call lists of a whole zone. */
  readonly setsPerPage: number;
}

const SENT = { absent: "sent", exact: "sent" } as const;
const IMPLIED = { absent: "implied", exact: "implied" } as const;
const NEVER = { absent: "never", exact: "never" } as const;

/** Atomic over the zone, with all preconditions, read-your-writes. No quirks of a real provider. */
export const CLASS_A: MemoryBehaviour = {
  atomicity: "zone",
  preconditions: { written: SENT, others: SENT },
  hasTags: false,
  conflicts: "refuse",
  wholeSets: false,
  batch: { groupsMax: 1000, valuesMax: 10_000, bytesMax: 1_000_000 },
  ttl: { minSeconds: 0, maxSeconds: 2_147_483_647 },
  readLagMs: 0,
  latencyMs: 0,
  trimsText: false,
  starInNames: true,
  flattensApex: false,
  changeToken: "serial",
  deltaRecords: false,
  rate: null,
  setsPerPage: Number.POSITIVE_INFINITY,
};

/**
 * BIND 9.18 and Knot 3.2 through RFC 2136: atomic, all prerequisites, and NOERROR for an ignored
 * CNAME (matrix of operations tried on both, row "add CNAME where A exists"). IXFR tells records
 * (RFC 1995). 64 KiB is the longest
 * message over TCP (RFC 1035 §4.2.2).
 */
export const LIKE_RFC2136: MemoryBehaviour = {
  ...CLASS_A,
  conflicts: "rfc2136",
  deltaRecords: true,
  batch: { groupsMax: 500, valuesMax: 1500, bytesMax: 60_000 },
};

/**
 * Azure DNS: one record set a call, `If-None-Match: *` and `If-Match` on that record set only, TTL
 * from 1 (azure-rest-api-specs, dns.json: RecordSets_CreateOrUpdate). No change token.
 */
export const LIKE_AZURE: MemoryBehaviour = {
  ...CLASS_A,
  atomicity: "set",
  preconditions: { written: IMPLIED, others: NEVER },
  hasTags: true,
  batch: { groupsMax: 1, valuesMax: 1000, bytesMax: 1_000_000 },
  ttl: { minSeconds: 1, maxSeconds: 2_147_483_647 },
  starInNames: false,
  changeToken: "none",
};

/**
 * OpenStack Designate 15: one record set a call; a POST of one that exists is 409, PUT and DELETE
 * compare nothing (tried on the server). No change token. What is written is PENDING until the
 * worker has brought it to all servers, or ERROR.
 */
export const LIKE_DESIGNATE: MemoryBehaviour = {
  ...CLASS_A,
  atomicity: "set",
  preconditions: { written: { absent: "implied", exact: "never" }, others: NEVER },
  wholeSets: true,
  batch: { groupsMax: 1, valuesMax: 20, bytesMax: 1_000_000 },
  pending: { forMs: 5_000, errorEvery: 7 },
  starInNames: false,
  changeToken: "none",
};

/**
 * etcd 3.5 as CoreDNS reads it: a transaction whose compares speak of all keys of its names (etcd
 * API reference, `Txn`). No change token.
 */
export const LIKE_ETCD: MemoryBehaviour = {
  ...CLASS_A,
  preconditions: { written: IMPLIED, others: IMPLIED },
  changeToken: "none",
};

/**
 * Route53: an all-or-nothing batch of at most 1000 values and 32 000 characters (API reference of
 * ChangeResourceRecordSets), refusing what is not as told, with changes that are PENDING before
 * they are INSYNC. Five calls a second for an account (developer guide, Quotas), and 300 record
 * sets a page (ListResourceRecordSets). CREATE fails for what exists, and DELETE for other values
 * than it names; a record set that is not written is asserted by both of them in one batch.
 */
export const LIKE_ROUTE53: MemoryBehaviour = {
  ...CLASS_A,
  preconditions: { written: IMPLIED, others: { absent: "never", exact: "rewritten" } },
  batch: { groupsMax: 1000, valuesMax: 1000, charactersMax: 32_000 },
  readLagMs: 2000,
  changeToken: "none",
  rate: { burst: 5, perSecond: 5 },
  setsPerPage: 300,
};

/**
 * Alibaba Cloud DNS: one value a call, without any precondition; it adds records ("AddDomainRecord"
 * refuses an equal one, and a CNAME beside others), TTL from 600 to 86 400 in the free edition, and
 * trailing spaces of TXT lost (DNSControl's record audit for AliDNS, 2025-12-03).
 */
export const LIKE_ALIDNS: MemoryBehaviour = {
  ...CLASS_A,
  atomicity: "value",
  preconditions: { written: NEVER, others: NEVER },
  conflicts: "merge",
  batch: { groupsMax: 1, valuesMax: 100, bytesMax: 100_000 },
  ttl: { minSeconds: 600, maxSeconds: 86_400 },
  trimsText: true,
  starInNames: false,
  changeToken: "none",
};

/**
 * Cloudflare: one transaction of at most 200 records on the free plan (API reference of
 * /dns_records/batch), which compares nothing but CNAME conflicts: error 81053. Four calls a second
 * (1200 in five minutes, "Rate limits"), 60 to 86 400 seconds, 5000 records a page, and a CNAME at
 * the apex is flattened.
 */
export const LIKE_CLOUDFLARE: MemoryBehaviour = {
  ...CLASS_A,
  preconditions: { written: NEVER, others: NEVER },
  conflicts: "merge",
  batch: { groupsMax: 200, valuesMax: 200 },
  ttl: { minSeconds: 60, maxSeconds: 86_400 },
  flattensApex: true,
  changeToken: "none",
  rate: { burst: 20, perSecond: 4 },
  setsPerPage: 5000,
};

/**
 * PowerDNS 4.7 over HTTP: a transaction that compares nothing and writes whole record sets (its
 * documentation of zones, `changetype`: REPLACE). A CNAME beside other data is refused.
 */
export const LIKE_POWERDNS: MemoryBehaviour = {
  ...CLASS_A,
  preconditions: { written: NEVER, others: NEVER },
  conflicts: "merge",
  wholeSets: true,
  batch: { groupsMax: 1000, valuesMax: 5000 },
  changeToken: "none",
};

/**
 * A webhook of external-dns: one record set a call, as the call has it, and nothing is promised
 * about what it meets there (external-dns `provider/webhook/api`).
 */
export const LIKE_WEBHOOK: MemoryBehaviour = {
  ...CLASS_A,
  atomicity: "set",
  preconditions: { written: NEVER, others: NEVER },
  conflicts: "rfc2136",
  wholeSets: true,
  batch: { groupsMax: 1, valuesMax: 1000 },
  ttl: { minSeconds: 1, maxSeconds: 2_147_483_647 },
  starInNames: false,
  changeToken: "none",
};

/**
 * The behaviour that the simulator plays for each provider type; Infoblox writes records by
 * reference in one transaction, as Cloudflare does by id, Google compares as Route53 does, and
 * Pi-hole adds and removes a line a call.
 */
export const BEHAVIOUR_OF: Readonly<Record<string, MemoryBehaviour>> = {
  "alicloud-dns": LIKE_ALIDNS,
  "aws-route53": LIKE_ROUTE53,
  "azure-dns": LIKE_AZURE,
  "azure-private-dns": LIKE_AZURE,
  "cloudflare-dns": LIKE_CLOUDFLARE,
  "coredns-etcd": LIKE_ETCD,
  "external-dns-webhook": LIKE_WEBHOOK,
  "google-clouddns": LIKE_ROUTE53,
  "infoblox-dns": LIKE_CLOUDFLARE,
  "openstack-designate": LIKE_DESIGNATE,
  pihole: LIKE_ALIDNS,
  powerdns: LIKE_POWERDNS,
  rfc2136: LIKE_RFC2136,
};

/** What a session tells the packer and the scheduler about a behaviour. */
export function capabilitiesOf(behaviour: MemoryBehaviour): Capabilities {
  const all = RDATA_FORMATS.map(({ type }) => type).filter((type) => type !== "SOA");
  return {
    types: new Set(behaviour.types ?? all),
    atomicity: behaviour.atomicity,
    preconditions: behaviour.preconditions,
    cnameConflicts: behaviour.conflicts === "rfc2136" ? "dropped" : "refused",
    wholeSets: behaviour.wholeSets,
    batch: behaviour.batch,
    ttl: behaviour.ttl,
    starInNames: behaviour.starInNames,
    flattensApex: behaviour.flattensApex,
    rate: behaviour.rate,
  };
}
