/**
 * The list of record types with a presentation form of their own, and the one way to read rdata
 * text (RFC 1035 §5.1).
 */
import { fail, type Result } from "@zonekeeper/base/result";
import { A } from "./a.ts";
import { AAAA } from "./aaaa.ts";
import { CAA } from "./caa.ts";
import { CNAME } from "./cname.ts";
import { DNAME } from "./dname.ts";
import { DNSKEY } from "./dnskey.ts";
import { DS } from "./ds.ts";
import { HTTPS } from "./https.ts";
import { LOC } from "./loc.ts";
import { MX } from "./mx.ts";
import { NAPTR } from "./naptr.ts";
import { NS } from "./ns.ts";
import { PTR } from "./ptr.ts";
import type { RdataFormat } from "./rdata-format.ts";
import type { RecordType } from "./record-type.ts";
import { SOA } from "./soa.ts";
import { SRV } from "./srv.ts";
import { SSHFP } from "./sshfp.ts";
import { SVCB } from "./svcb.ts";
import { TLSA } from "./tlsa.ts";
import { TXT } from "./txt.ts";
import { parseUnknown, unknownBytes } from "./unknown.ts";
import { URI } from "./uri.ts";

/** One entry a type, sorted by type. */
export const RDATA_FORMATS: readonly RdataFormat[] = [
  A,
  AAAA,
  CAA,
  CNAME,
  DNAME,
  DNSKEY,
  DS,
  HTTPS,
  LOC,
  MX,
  NAPTR,
  NS,
  PTR,
  SOA,
  SRV,
  SSHFP,
  SVCB,
  TLSA,
  TXT,
  URI,
];

const BY_TYPE: ReadonlyMap<RecordType, RdataFormat> = new Map(
  RDATA_FORMATS.map((format) => [format.type, format]),
);

/**
 * Canonical presentation rdata of `type` (upper case), or what is wrong with the text and what
 * would be right. Names come out absolute, lower case (but for SVCB and HTTPS), without trailing
 * dot; types without a file of their own take `\# n hex`.
 */
export function parseRdata(type: RecordType, text: string): Result<string> {
  const format = BY_TYPE.get(type);
  if (format === undefined) return parseUnknown(text);
  return unknownBytes(text).ok
    ? fail(`\\# is for types without a text form (RFC 3597 §5); write the data of ${type} as text`)
    : format.parse(text);
}
