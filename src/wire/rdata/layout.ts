/** How the rdata of each type is laid out on the wire; data only. A type without a layout is opaque (RFC 3597 §3). */
import type { RecordType } from "../../model/record-set.ts";

/** One field. `name` may be compressed by a sender (RFC 3597 §4 lists the types), `plain-name` is never compressed by us. */
export type RdataField = "ipv4" | "ipv6" | "u16" | "u32" | "name" | "plain-name" | "strings";

/** Fields in wire order, which is also the order of the words in presentation form. */
export const RDATA_LAYOUTS: ReadonlyMap<RecordType, readonly RdataField[]> = new Map([
  // RFC 1035 §3.4.1
  ["A", ["ipv4"]],
  // RFC 3596 §2.2
  ["AAAA", ["ipv6"]],
  // RFC 1035 §3.3.1, §3.3.11, §3.3.12
  ["CNAME", ["name"]],
  ["NS", ["name"]],
  ["PTR", ["name"]],
  // RFC 1035 §3.3.9
  ["MX", ["u16", "name"]],
  // RFC 1035 §3.3.13
  ["SOA", ["name", "name", "u32", "u32", "u32", "u32", "u32"]],
  // RFC 2782: the target is not compressed; a receiver still follows pointers.
  ["SRV", ["u16", "u16", "u16", "plain-name"]],
  // RFC 1035 §3.3.14
  ["TXT", ["strings"]],
]);

/**
 * Obsolete types of RFC 1035 whose names may arrive compressed; kept as opaque data, expanded so that equal data
 * is equal text wherever in a message it stood (RFC 3597 §4).
 */
export const EXPANDED_NAMES: ReadonlyMap<RecordType, number> = new Map([
  ["MD", 1],
  ["MF", 1],
  ["MB", 1],
  ["MG", 1],
  ["MR", 1],
  ["MINFO", 2],
]);
