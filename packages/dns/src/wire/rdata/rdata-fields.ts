/**
 * The kinds of fields in rdata, each with its reader (bytes to canonical token) and its writer
 * (token to bytes): RFC 1035 §3.3, parameters RFC 9460 §2.2. Which type has which fields is in
 * wire-format.ts.
 */
import { base64Text, hexText } from "@zonekeeper/base/bytes";
import { ipv4Bytes, ipv4Text, ipv6Bytes, ipv6Text } from "../../rdata/addresses.ts";
import {
  dnsNameToRdataName,
  keptNameText,
  nameLabels,
  rdataNameToDnsName,
} from "../../rdata/name-text.ts";
import { formatSvcParams, parseSvcParams, type SvcParam } from "../../rdata/svcb.ts";
import { base64Bytes, formatText, hexBytes, parseUnsigned } from "../../rdata/tokens.ts";
import { formatTxt, parseTxtStrings, stringBytes } from "../../rdata/txt.ts";
import type { WireReader } from "../bytes/wire-reader.ts";
import type { WireWriter } from "../bytes/wire-writer.ts";

/** Reads and writes one field. */
interface FieldCodec {
  /**
   * The canonical token; "" = the field has none, null = the bytes are no such field. The rdata
   * ends at `end`.
   */
  readonly read: (reader: WireReader, end: number) => string | null;
  /**
   * Writes the bytes of `token`, or of all tokens that are `left` (this one first). False = they
   * are not the text of such a field; a part may be written.
   */
  readonly write: (writer: WireWriter, token: string, left: readonly string[]) => boolean;
}

const UNSIGNED_MAX = { u8: 0xff, u16: 0xffff, u32: 0xffff_ffff };
const LATIN = new TextDecoder("latin1");

const unsigned = (size: keyof typeof UNSIGNED_MAX): FieldCodec => ({
  read: (reader) => String(reader[size]()),
  write: (writer, token) => {
    const value = parseUnsigned(token, UNSIGNED_MAX[size], size);
    if (value.ok) writer[size](value.value);
    return value.ok;
  },
});

const name = (compress: boolean): FieldCodec => ({
  read: (reader) => dnsNameToRdataName(reader.name()),
  write: (writer, token) => token !== "" && writer.name(rdataNameToDnsName(token), compress),
});

type Take = (reader: WireReader, end: number) => Uint8Array;
type Format = (bytes: Uint8Array) => string;
/** Null = the token has another form. */
type Parse = (token: string) => Uint8Array | null;

const toEnd: Take = (reader, end) => reader.take(end - reader.offset);

const bytes = (take: Take, format: Format, parse: Parse): FieldCodec => ({
  read: (reader, end) => format(take(reader, end)),
  write: (writer, token) => writeBytes(writer, parse(token)),
});

/** Bytes with a length byte before them. */
const counted = (format: Format, parse: Parse): FieldCodec => ({
  read: (reader) => format(reader.take(reader.u8())),
  write: (writer, token) => writeCounted(writer, parse(token)),
});

function writeBytes(writer: WireWriter, bytes: Uint8Array | null): boolean {
  if (bytes !== null) writer.bytes(bytes);
  return bytes !== null;
}

function writeCounted(writer: WireWriter, counted: Uint8Array | null): boolean {
  if (counted === null || counted.length > 255) return false;
  writer.u8(counted.length);
  return writeBytes(writer, counted);
}

function textBytes(token: string): Uint8Array | null {
  const text = stringBytes(token);
  return text.ok ? text.value : null;
}

/** Not remembered for compression, because the case of its letters is kept. */
const KEPT_NAME: FieldCodec = {
  read: (reader) => keptNameText(reader.plainLabels()),
  write: (writer, token) => {
    const labels = nameLabels(token);
    if (token === "" || !labels.ok) return false;
    for (const label of labels.value) writeCounted(writer, label);
    writer.u8(0);
    return true;
  },
};

/** Character-strings; none is trouble (RFC 1035 §3.3.14: one or more). */
const STRINGS: FieldCodec = {
  read: (reader, end) => {
    const strings: Uint8Array[] = [];
    while (reader.trouble === null && reader.offset < end) strings.push(reader.take(reader.u8()));
    return strings.length === 0 ? null : formatTxt(strings);
  },
  write: (writer, _token, left) => {
    const strings = parseTxtStrings(left.join(" "));
    return strings.ok && strings.value.every((string) => writeCounted(writer, string));
  },
};

/** Key, length, value; at least four bytes each, so that their number is bounded. */
const PARAMETERS: FieldCodec = {
  read: (reader, end) => {
    const params: SvcParam[] = [];
    while (reader.trouble === null && reader.offset < end)
      params.push({ key: reader.u16(), value: reader.take(reader.u16()) });
    return formatSvcParams(params)?.join(" ") ?? null;
  },
  write: (writer, _token, left) => {
    const params = parseSvcParams(left);
    if (!params.ok) return false;
    for (const { key, value } of params.value) {
      writer.u16(key);
      writer.u16(value.length);
      writer.bytes(value);
    }
    return true;
  },
};

/** The fields by name. No field follows `strings` or `parameters`: they take all tokens left. */
export const RDATA_FIELDS = {
  ipv4: bytes((reader) => reader.take(4), ipv4Text, ipv4Bytes),
  ipv6: bytes((reader) => reader.take(16), ipv6Text, ipv6Bytes),
  u8: unsigned("u8"),
  u16: unsigned("u16"),
  u32: unsigned("u32"),
  /** A u32 that zone files may write with units. */
  seconds: unsigned("u32"),
  /** A sender may compress it (RFC 3597 §4 lists the types). */
  name: name(true),
  /** Written without compression, but read with it. */
  "plain-name": name(false),
  /** Neither compressed nor folded in case. */
  "kept-name": KEPT_NAME,
  /** In quotes, with a length byte. */
  string: counted(formatText, textBytes),
  /** Without quotes, with a length byte. */
  tag: counted(
    (tag) => LATIN.decode(tag),
    (token) => new TextEncoder().encode(token),
  ),
  // These run to the end of the rdata.
  strings: STRINGS,
  text: bytes(toEnd, formatText, textBytes),
  hex: bytes(toEnd, hexText, hexBytes),
  base64: bytes(toEnd, base64Text, base64Bytes),
  parameters: PARAMETERS,
} satisfies Readonly<Record<string, FieldCodec>>;

/** The name of a field. */
export type RdataField = keyof typeof RDATA_FIELDS;
