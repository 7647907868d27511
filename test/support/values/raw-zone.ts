/**
 * Reads the raw zones that `named-compilezone -F raw` writes (BIND 9 lib/dns/masterdump.c, version
 * 1). For tests only.
 */
import { typeOfNumber } from "@zonekeeper/dns/rdata/type-numbers";
import { WireReader } from "@zonekeeper/dns/wire/bytes/wire-reader";

/** Format, version, time, flags, serial, time of transfer: six words. */
const HEADER_BYTES = 24;

/** `name TYPE hex` for each record, in the order of the file. */
export function compiledRecords(bytes: Uint8Array): readonly string[] {
  const records: string[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = HEADER_BYTES; at < bytes.length; ) {
    const setBytes = view.getUint32(at);
    records.push(...recordsOfSet(bytes.subarray(at + 4, at + setBytes)));
    at += setBytes;
  }
  return records;
}

/** Class, type, covered type, TTL, count, then the name and the rdata, each with its length. */
function recordsOfSet(bytes: Uint8Array): readonly string[] {
  const reader = new WireReader(bytes);
  reader.u16();
  const type = typeOfNumber(reader.u16());
  reader.take(6);
  const count = reader.u32();
  const name = new WireReader(reader.take(reader.u16())).name();
  const records = Array.from({ length: count }, () => {
    const rdata = reader.take(reader.u16());
    return `${name} ${type} ${Buffer.from(rdata).toString("hex")}`;
  });
  if (reader.trouble !== null || reader.left > 0) throw new Error(`bad raw zone at ${name}`);
  return records;
}
