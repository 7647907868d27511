/**
 * How a memory zone behaves: a class A back end by default, or like one of the real ones. Data
 * only; each behaviour that imitates somebody names its source, so that nobody has to trust our
 * imagination.
 */
import { RDATA_FORMATS } from "../../../src/model/rdata/index.ts";
import type { Capabilities } from "../../../src/providers/provider.ts";

/** Everything in which back ends differ and a controller can notice. */
export interface MemoryBehaviour {
  /**
   * `zone`: a call is all or nothing. `set`: each record set by itself, in order, until one fails.
   */
  readonly atomicity: "zone" | "set";
  /**
   * Which preconditions are checked with the write. With `set`, only those about the record set
   * that is written.
   */
  readonly preconditions: { readonly absent: boolean; readonly exact: boolean };
  /**
   * `refuse`: creating what exists, or a CNAME beside other data, is refused aloud. `rfc2136`: a
   * create adds to what exists, and a CNAME conflict is dropped in silence with a good answer (RFC
   * 2136 §3.4.2.2).
   */
  readonly conflicts: "refuse" | "rfc2136";
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
  readonly changeToken: Capabilities["changeToken"];
  readonly rate: Capabilities["rate"];
  /** Record sets that one call lists of a whole zone. */
  readonly setsPerPage: number;
}

/** Atomic over the zone, with all preconditions, read-your-writes. No quirks of a real provider. */
export const CLASS_A: MemoryBehaviour = {
  atomicity: "zone",
  preconditions: { absent: true, exact: true },
  conflicts: "refuse",
  batch: { groupsMax: 1000, valuesMax: 10_000, bytesMax: 1_000_000 },
  ttl: { minSeconds: 0, maxSeconds: 2_147_483_647 },
  readLagMs: 0,
  latencyMs: 0,
  trimsText: false,
  changeToken: "serial",
  rate: null,
  setsPerPage: Number.POSITIVE_INFINITY,
};

/**
 * BIND 9.18 and Knot 3.2 through RFC 2136: atomic, all prerequisites, and NOERROR for an ignored
 * CNAME (matrix of operations tried on both, row "add CNAME where A exists"). 64 KiB is the longest
 * message over TCP (RFC 1035 §4.2.2).
 */
export const LIKE_RFC2136: MemoryBehaviour = {
  ...CLASS_A,
  conflicts: "rfc2136",
  batch: { groupsMax: 500, valuesMax: 1500, bytesMax: 60_000 },
};

/**
 * Azure DNS: one record set a call, `If-None-Match: *` and `If-Match` on that record set only, TTL
 * from 1 (azure-rest-api-specs, dns.json: RecordSets_CreateOrUpdate). No change token.
 */
export const LIKE_AZURE: MemoryBehaviour = {
  ...CLASS_A,
  atomicity: "set",
  batch: { groupsMax: 1, valuesMax: 1000, bytesMax: 1_000_000 },
  ttl: { minSeconds: 1, maxSeconds: 2_147_483_647 },
  changeToken: "none",
};

/**
 * Route53: an all-or-nothing batch of at most 1000 values and 32 000 characters (API reference of
 * ChangeResourceRecordSets), refusing what is not as told, with changes that are PENDING before
 * they are INSYNC. Five calls a second for an account (developer guide, Quotas), and 300 record
 * sets a page (ListResourceRecordSets).
 */
export const LIKE_ROUTE53: MemoryBehaviour = {
  ...CLASS_A,
  batch: { groupsMax: 1000, valuesMax: 1000, bytesMax: 32_000 },
  readLagMs: 2000,
  changeToken: "none",
  rate: { burst: 5, perSecond: 5 },
  setsPerPage: 300,
};

/**
 * Alibaba Cloud DNS: single writes without any precondition, TTL from 600 to 86 400 in the free
 * edition, and trailing spaces of TXT lost (DNSControl's record audit for AliDNS, 2025-12-03).
 */
export const LIKE_ALIDNS: MemoryBehaviour = {
  ...CLASS_A,
  atomicity: "set",
  preconditions: { absent: false, exact: false },
  batch: { groupsMax: 1, valuesMax: 100, bytesMax: 100_000 },
  ttl: { minSeconds: 600, maxSeconds: 86_400 },
  trimsText: true,
  changeToken: "none",
};

/** What a session tells the packer and the scheduler about a behaviour. */
export function capabilitiesOf(behaviour: MemoryBehaviour): Capabilities {
  const types = RDATA_FORMATS.map(({ type }) => type).filter((type) => type !== "SOA");
  return {
    types: new Set(types),
    atomicity: behaviour.atomicity,
    preconditions: behaviour.preconditions,
    batch: behaviour.batch,
    ttl: behaviour.ttl,
    txt: { stringBytesMax: 255, valueBytesMax: 65_000 },
    routingPolicies: new Set(),
    apexAlias: false,
    rate: behaviour.rate,
    consistency: behaviour.readLagMs === 0 ? "read-your-writes" : "eventual",
    changeToken: behaviour.changeToken,
  };
}
