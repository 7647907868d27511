/**
 * The wire format of the rdata of each type, as data. A type without a format is opaque (RFC 3597
 * §3).
 */
import type { RecordType } from "../../rdata/rdata-format.ts";
import type { RdataField } from "./rdata-fields.ts";

/** The wire format of one type. */
export interface RdataWireFormat {
  /** In wire order, which is also the order of the tokens in presentation form. */
  readonly fields: readonly RdataField[];
  /**
   * The result for rdata that breaks the rules of its type. `refuse`: the message is malformed, as
   * for RFC 1035 servers. `opaque`: it is kept as `\#` (RFC 3597 §5), so that one odd foreign
   * record never hides a zone.
   */
  readonly whenWrong: "refuse" | "opaque";
}

const formatThat =
  (whenWrong: RdataWireFormat["whenWrong"]) =>
  (...fields: readonly RdataField[]): RdataWireFormat => ({ fields, whenWrong });
const strict = formatThat("refuse");
const lenient = formatThat("opaque");

/** One line a type. */
export const RDATA_WIRE_FORMATS: ReadonlyMap<RecordType, RdataWireFormat> = new Map([
  // RFC 1035 §3.4.1
  ["A", strict("ipv4")],
  // RFC 3596 §2.2
  ["AAAA", strict("ipv6")],
  // RFC 1035 §3.3.1, §3.3.11, §3.3.12
  ["CNAME", strict("name")],
  ["NS", strict("name")],
  ["PTR", strict("name")],
  // RFC 1035 §3.3.9
  ["MX", strict("u16", "name")],
  // RFC 1035 §3.3.13
  ["SOA", strict("name", "name", "u32", "seconds", "seconds", "seconds", "seconds")],
  // RFC 2782: the target is not compressed; a receiver still follows pointers.
  ["SRV", strict("u16", "u16", "u16", "plain-name")],
  // RFC 1035 §3.3.14
  ["TXT", strict("strings")],
  // RFC 6672 §2.5: never compressed, though RFC 2672 once allowed it.
  ["DNAME", strict("plain-name")],
  // RFC 3403 §4.1; receivers follow pointers (RFC 3597 §4).
  ["NAPTR", lenient("u16", "u16", "string", "string", "string", "plain-name")],
  // RFC 8659 §4.1
  ["CAA", lenient("u8", "tag", "text")],
  // RFC 7553 §4.5
  ["URI", lenient("u16", "u16", "text")],
  // RFC 6698 §2.1
  ["TLSA", lenient("u8", "u8", "u8", "hex")],
  // RFC 4255 §3.1
  ["SSHFP", lenient("u8", "u8", "hex")],
  // RFC 4034 §5.1
  ["DS", lenient("u16", "u8", "u8", "hex")],
  // RFC 4034 §2.1
  ["DNSKEY", lenient("u16", "u8", "u8", "base64")],
  // RFC 9460 §2.2, §9
  ["SVCB", lenient("u16", "kept-name", "parameters")],
  ["HTTPS", lenient("u16", "kept-name", "parameters")],
]);

/**
 * Obsolete types of RFC 1035 whose names may arrive compressed; kept as opaque data, expanded so
 * that equal data is equal text at any position of a message (RFC 3597 §4).
 */
export const EXPANDED_NAMES: ReadonlyMap<RecordType, number> = new Map(
  Object.entries({ MD: 1, MF: 1, MB: 1, MG: 1, MR: 1, MINFO: 2 }),
);
