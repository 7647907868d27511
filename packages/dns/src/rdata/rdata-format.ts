/**
 * What each record type's file offers: presentation text in, canonical presentation text out. Knows
 * no wire form.
 */
import type { Result } from "@zonekeeper/base/result";

/** Upper-case type mnemonic: `A`, `TXT`, `TYPE65280` (RFC 3597 §5). */
export type RecordType = string;

/** The presentation form of one record type. */
export interface RdataFormat {
  readonly type: RecordType;
  /**
   * Canonical presentation rdata (equal text = equal data), or what is wrong and what would be
   * right. `parse(canonical) = canonical`. Never throws.
   */
  parse(text: string): Result<string>;
}

/** Bytes of rdata in one record, RFC 1035 §3.2.1 (16-bit RDLENGTH). */
export const RDATA_BYTES_MAX = 65_535;
