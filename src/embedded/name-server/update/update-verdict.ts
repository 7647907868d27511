/** The end of one step of UPDATE processing, and the types that are no data. Values only, nothing is thrown. */
import type { Rcode } from "../../../wire/message/message.ts";

/** Null = the step found nothing wrong, go on. */
export type UpdateVerdict = Exclude<Rcode, "NOERROR"> | null;

/** Types that only questions may name, and pseudo records: never data (RFC 6895 §3.1, RFC 2136 §3.4.1.2). */
const META_TYPES: ReadonlySet<string> = new Set([
  "OPT",
  "TKEY",
  "TSIG",
  "IXFR",
  "AXFR",
  "MAILB",
  "MAILA",
  "ANY",
]);

/** True for types that cannot be stored. */
export function isMetaType(type: string): boolean {
  return META_TYPES.has(type);
}
