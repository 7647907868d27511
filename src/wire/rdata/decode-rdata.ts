/** Rdata bytes to canonical presentation text. Trouble goes to the reader; nothing is thrown. */
import { ipv4Text } from "../../model/rdata/a.ts";
import { ipv6Text } from "../../model/rdata/aaaa.ts";
import { dnsNameToRdataName } from "../../model/rdata/name-text.ts";
import { formatTxt } from "../../model/rdata/txt.ts";
import { formatUnknown } from "../../model/rdata/unknown.ts";
import type { RecordType } from "../../model/record-set.ts";
import type { WireReader } from "../bytes/wire-reader.ts";
import { WireWriter } from "../bytes/wire-writer.ts";
import { EXPANDED_NAMES, RDATA_LAYOUTS, type RdataField } from "./layout.ts";

/**
 * Reads `byteCount` (> 0, or 0 for a type that may be empty) bytes as the rdata of `type`. The reader stands behind
 * them afterwards; rdata that is longer or shorter than its fields is trouble.
 */
export function decodeRdata(reader: WireReader, type: RecordType, byteCount: number): string {
  const end = reader.offset + byteCount;
  if (byteCount > reader.left) reader.fail("rdata runs over the end of the message");
  const text = decodeFields(reader, type, end);
  if (reader.trouble === null && reader.offset !== end)
    reader.fail(`the rdata of ${type} has a wrong length`);
  return reader.trouble === null ? text : "";
}

function decodeFields(reader: WireReader, type: RecordType, end: number): string {
  const layout = RDATA_LAYOUTS.get(type);
  if (layout !== undefined) return layout.map((field) => decodeField(reader, field, end)).join(" ");
  const names = EXPANDED_NAMES.get(type);
  return formatUnknown(
    names === undefined ? reader.take(end - reader.offset) : expandNames(reader, names),
  );
}

function decodeField(reader: WireReader, field: RdataField, end: number): string {
  switch (field) {
    case "ipv4":
      return ipv4Text(reader.take(4));
    case "ipv6":
      return ipv6Text(reader.take(16));
    case "u16":
      return String(reader.u16());
    case "u32":
      return String(reader.u32());
    case "name":
    case "plain-name":
      return dnsNameToRdataName(reader.name());
    case "strings":
      return formatTxt(decodeStrings(reader, end));
  }
}

/** Character-strings up to `end`; none is trouble (RFC 1035 §3.3.14: one or more). */
function decodeStrings(reader: WireReader, end: number): readonly Uint8Array[] {
  const strings: Uint8Array[] = [];
  while (reader.trouble === null && reader.offset < end) strings.push(reader.take(reader.u8()));
  if (strings.length === 0) reader.fail("a TXT record holds no string");
  return strings;
}

function expandNames(reader: WireReader, count: number): Uint8Array {
  const writer = new WireWriter();
  for (let index = 0; index < count; index += 1) writer.name(reader.name(), false);
  return writer.finish();
}
