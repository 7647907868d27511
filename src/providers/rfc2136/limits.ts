/**
 * Capabilities of an RFC 2136 server, as data, and our timeouts and limits. One message of at most
 * 64 KiB is atomic (RFC 2136 §3.7); full ones with 1700 records were tried on BIND 9.18, Knot 3.2
 * and PowerDNS 4.7 (2026-11).
 */
import { RDATA_FORMATS } from "@zonekeeper/dns/rdata/index";
import type { Capabilities } from "../provider.ts";

/**
 * Types that can be written: all with a known presentation form but SOA, which the server
 * maintains.
 */
export const WRITABLE_TYPES: ReadonlySet<string> = new Set(
  RDATA_FORMATS.map(({ type }) => type).filter((type) => type !== "SOA"),
);

/** RFC 2181 §8. */
export const TTL_SECONDS_MAX = 2_147_483_647;

/**
 * Bytes of text in one set: a change may send each value three times (prerequisite, deletion,
 * addition).
 */
export const SET_TEXT_BYTES_MAX = 18_000;

/** See `Capabilities`. */
export const CAPABILITIES: Capabilities = {
  types: WRITABLE_TYPES,
  atomicity: "zone",
  preconditions: {
    written: { absent: "sent", exact: "sent" },
    others: { absent: "sent", exact: "sent" },
  },
  cnameConflicts: "dropped",
  // PowerDNS's ALIAS and LUA (`qtype.hh`); BIND's notes about signing, at the apex
  // (`sig-signing-type`). Other types for private use may answer anything.
  ownTypes: { TYPE65401: "alias", TYPE65402: "alias", TYPE65534: "other" },
  // Besides the header and the TSIG record, whose key may have a name of 255 bytes.
  batch: { groupsMax: 500, valuesMax: 3000, bytesMax: 65_000 },
  ttl: { minSeconds: 0, maxSeconds: TTL_SECONDS_MAX },
  // RFC 4592 §2.1.1: such a name is an ordinary one; BIND, Knot and PowerDNS were tried.
  starInNames: true,
  rate: null,
  zoneListing: "configured",
};

/** Milliseconds to wait for a TCP connection. */
export const CONNECT_TIMEOUT_MS = 5_000;
/** Milliseconds to wait for the answer to a query or an UPDATE. */
export const ANSWER_TIMEOUT_MS = 10_000;
/** Milliseconds to wait for each message of a transfer. */
export const TRANSFER_TIMEOUT_MS = 20_000;
/**
 * Milliseconds for a whole transfer, however busily messages come: a million records take seconds.
 */
export const TRANSFER_TOTAL_MS = 900_000;
/** Milliseconds after which an idle connection carries no UPDATE any more. */
export const IDLE_MS_MAX = 5_000;
/** Records that a transfer may have. */
export const TRANSFER_RECORDS_MAX = 5_000_000;
/** Bytes that a transfer may have. */
export const TRANSFER_BYTES_MAX = 2_000_000_000;
/** Connections that are kept for queries and UPDATEs; more requests wait for a free one. */
export const CONNECTIONS_MAX = 4;
/**
 * Transfers of one account at a time. BIND 9.18 answers SERVFAIL beyond its `transfers-out` (10 by
 * default), of which the zones' secondaries need some.
 */
export const TRANSFERS_MAX = 6;
/**
 * Names that are asked for at a time; fewer than connections, so that an UPDATE finds a free one.
 */
export const NAMES_AT_A_TIME = 3;
/** Names that are read one by one; for more, one transfer is cheaper. */
export const NAMES_BY_QUERY_MAX = 200;
/** So few names are read one by one, however small the zone is. */
export const NAMES_BY_QUERY_MIN = 4;
/**
 * Record sets that a transfer reads with the work of the 20 signed queries for one name (BIND 9.18:
 * 17 ms for two names, 0.1 ms for a record set).
 */
export const SETS_PER_NAME = 80;
