/** Service parameters on the wire (RFC 9460 §2.2): key, length, value, to the end of the rdata. */
import { formatSvcParams, parseSvcParams, type SvcParam } from "../../rdata/svc-params.ts";
import type { WireReader } from "../bytes/wire-reader.ts";
import type { WireWriter } from "../bytes/wire-writer.ts";

/**
 * Canonical tokens up to `end`; null = malformed. Every parameter takes four bytes at least, so
 * their number is bounded.
 */
export function readParameters(reader: WireReader, end: number): readonly string[] | null {
  const params: SvcParam[] = [];
  while (reader.trouble === null && reader.offset < end) {
    const key = reader.u16();
    params.push({ key, value: reader.take(reader.u16()) });
  }
  return reader.trouble === null ? formatSvcParams(params) : null;
}

/** False = the tokens are no parameters. */
export function writeParameters(writer: WireWriter, tokens: readonly string[]): boolean {
  const params = parseSvcParams(tokens);
  if (!params.ok) return false;
  for (const { key, value } of params.value) {
    writer.u16(key);
    writer.u16(value.length);
    writer.bytes(value);
  }
  return true;
}
