/** Limits of Infoblox NIOS and what its WAPI can do; each with its source. */
import type { Capabilities } from "../provider.ts";
import { REWRITTEN_TYPES, WRITABLE_TYPES } from "./objects.ts";

/** RFC 2181 §8; `ttl` itself has 32 bits. */
export const TTL_SECONDS_MAX = 2_147_483_647;
/** TTL of a record without one in a zone that does not tell its own: the Grid's default. */
export const TTL_SECONDS_DEFAULT = 28_800;
/** WAPI, `record:txt`: "up to 255 bytes per substring and up a total of 512 bytes". */
export const TEXT_BYTES_MAX = 512;

/**
 * Operations of one `/request`. No limit is documented; Posh-IBWAPI, which many use, sends a
 * thousand.
 */
export const OPERATIONS_MAX = 1000;
/** Values of one record set that can be replaced by as many in one call, with their markers. */
export const VALUES_MAX = OPERATIONS_MAX / 2 - 4;
/** WAPI, `_max_results`: objects of one page. */
export const PAGE_SIZE = 1000;

const NEVER = { absent: "never", exact: "never" } as const;

/** See `Capabilities`. */
export const CAPABILITIES: Capabilities = {
  types: WRITABLE_TYPES,
  // WAPI, `request`: several calls are one transaction, and one that fails takes back all. It
  // compares nothing but identical records and CNAMEs beside others; a reference holds the value of
  // some types only (ADR 0049).
  atomicity: "zone",
  preconditions: { written: NEVER, others: NEVER },
  // "The record 'x' already exists."
  cnameConflicts: "refused",
  batch: {
    groupsMax: OPERATIONS_MAX,
    operationsMax: OPERATIONS_MAX,
    rewrittenTypes: REWRITTEN_TYPES,
  },
  ttl: { minSeconds: 0, maxSeconds: TTL_SECONDS_MAX },
  ownTypes: { ALIAS: "alias" },
  // No limit is documented: what Gardener keeps to, of a Grid that others use, too.
  rate: { burst: 20, perSecond: 10 },
};
