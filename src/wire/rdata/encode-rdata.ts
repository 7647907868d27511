/** Canonical presentation rdata to bytes (RFC 1035 §3.3, RFC 3597 §5). Text that is not canonical for its type is an error, never a guess. */
import { ipv4Bytes } from "../../model/rdata/a.ts";
import { ipv6Bytes } from "../../model/rdata/aaaa.ts";
import { rdataNameToDnsName } from "../../model/rdata/name-text.ts";
import { parseTxtStrings } from "../../model/rdata/txt.ts";
import { unknownBytes } from "../../model/rdata/unknown.ts";
import type { RecordType } from "../../model/record-set.ts";
import type { WireWriter } from "../bytes/wire-writer.ts";
import { RDATA_LAYOUTS, type RdataField } from "./layout.ts";

/**
 * Writes the rdata of `type` without its length. False = `text` is no rdata of that type; the writer then holds a part
 * of it and must be rolled back.
 */
export function encodeRdata(writer: WireWriter, type: RecordType, text: string): boolean {
  const layout = RDATA_LAYOUTS.get(type);
  if (layout === undefined) return encodeUnknown(writer, text);
  if (layout[0] === "strings") return encodeStrings(writer, text);
  const words = text.split(" ");
  return (
    words.length === layout.length &&
    layout.every((field, index) => encodeField(writer, field, words[index] ?? ""))
  );
}

function encodeField(writer: WireWriter, field: RdataField, word: string): boolean {
  switch (field) {
    case "ipv4":
      return encodeBytes(writer, ipv4Bytes(word));
    case "ipv6":
      return encodeBytes(writer, ipv6Bytes(word));
    case "u16":
      return encodeUnsigned(word, 0xffff, (value) => writer.u16(value));
    case "u32":
      return encodeUnsigned(word, 0xffff_ffff, (value) => writer.u32(value));
    case "name":
      return word !== "" && writer.name(rdataNameToDnsName(word), true);
    case "plain-name":
      return word !== "" && writer.name(rdataNameToDnsName(word), false);
    case "strings":
      return encodeStrings(writer, word);
  }
}

function encodeBytes(writer: WireWriter, bytes: Uint8Array | null): boolean {
  if (bytes === null) return false;
  writer.bytes(bytes);
  return true;
}

function encodeUnsigned(word: string, max: number, write: (value: number) => void): boolean {
  const value = /^\d{1,10}$/.test(word) ? Number(word) : Number.NaN;
  if (!(value <= max)) return false;
  write(value);
  return true;
}

function encodeStrings(writer: WireWriter, text: string): boolean {
  const strings = parseTxtStrings(text);
  if (!strings.ok) return false;
  for (const string of strings.value) {
    writer.u8(string.length);
    writer.bytes(string);
  }
  return true;
}

function encodeUnknown(writer: WireWriter, text: string): boolean {
  const bytes = unknownBytes(text);
  return bytes.ok && encodeBytes(writer, bytes.value);
}
