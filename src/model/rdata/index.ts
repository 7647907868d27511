/** The list of record types with a presentation form of their own, and the one way to read rdata text (RFC 1035 §5.1). */
import type { RecordType } from "../record-set.ts";
import type { Result } from "../result.ts";
import { A } from "./a.ts";
import { AAAA } from "./aaaa.ts";
import { CNAME } from "./cname.ts";
import { MX } from "./mx.ts";
import { NS } from "./ns.ts";
import { PTR } from "./ptr.ts";
import type { RdataFormat } from "./rdata-format.ts";
import { SOA } from "./soa.ts";
import { SRV } from "./srv.ts";
import { TXT } from "./txt.ts";
import { parseUnknown } from "./unknown.ts";

/** One entry a type, sorted by type. */
export const RDATA_FORMATS: readonly RdataFormat[] = [A, AAAA, CNAME, MX, NS, PTR, SOA, SRV, TXT];

const BY_TYPE: ReadonlyMap<RecordType, RdataFormat> = new Map(
  RDATA_FORMATS.map((format) => [format.type, format]),
);

/**
 * Canonical presentation rdata of `type` (upper case), or what is wrong with the text and what would be right.
 * Names come out absolute, lower case, without trailing dot; types without a file of their own take `\# n hex`.
 */
export function parseRdata(type: RecordType, text: string): Result<string> {
  const format = BY_TYPE.get(type);
  return format === undefined ? parseUnknown(text) : format.parse(text);
}
