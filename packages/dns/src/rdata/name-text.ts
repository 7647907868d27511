/**
 * Domain names inside rdata and their escapes (RFC 1035 §5.1, RFC 4343 §2.1). Unlike
 * `parseDnsName`, any byte may occur in a label. Canonical: absolute, lower case, no trailing dot;
 * the root alone is `.` so that it stays visible.
 */
import { fail, mapOk, ok, type Result } from "@zonekeeper/base/result";
import { type DnsName, LABEL_BYTES_MAX, trustedDnsName } from "../names/dns-name.ts";

/**
 * The root inside rdata (null MX of RFC 7505, "no service" of RFC 2782). As a DnsName it is the
 * empty string.
 */
export const ROOT_TEXT = ".";

/** Names in canonical form whose labels have 1 to 63 bytes and no escapes. */
export const PLAIN_NAME = /^[a-z0-9_*/-]{1,63}(?:\.[a-z0-9_*/-]{1,63})*$/;
const PLAIN_BYTE = /[a-z0-9_*/-]/;
const BACKSLASH = 0x5c;
const DOT = 0x2e;

/**
 * Canonical text of each byte value: lower case, `\X` for printable specials, `\DDD` for the rest.
 */
const BYTE_TEXT: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte).toLowerCase();
  if (byte < 0x80 && PLAIN_BYTE.test(character)) return character;
  if (byte > 0x20 && byte < 0x7f) return `\\${character}`;
  return `\\${String(byte).padStart(3, "0")}`;
});

/** The same with upper case kept, for the types whose names RFC 4034 §6.2 does not fold. */
const KEPT_BYTE_TEXT: readonly string[] = BYTE_TEXT.map((text, byte) =>
  byte >= 0x41 && byte <= 0x5a ? String.fromCharCode(byte) : text,
);

/** Canonical text of one label given as bytes. */
export function labelText(bytes: Uint8Array): string {
  return escaped(bytes, BYTE_TEXT);
}

/** The text of a name given as labels, its case kept; `.` for the root. */
export function keptNameText(labels: readonly Uint8Array[]): string {
  const texts = labels.map((bytes) => escaped(bytes, KEPT_BYTE_TEXT));
  return texts.length === 0 ? ROOT_TEXT : texts.join(".");
}

function escaped(bytes: Uint8Array, texts: readonly string[]): string {
  let text = "";
  for (let index = 0; index < bytes.length; index += 1) text += texts[bytes[index] ?? 0] ?? "";
  return text;
}

/**
 * As `parseRdataName`, but upper and lower case stay as written: names that differ in case are
 * different data (RFC 3597 §7).
 */
export function parseKeptName(text: string): Result<string> {
  if (text === "") return fail("the name is empty; write a full name such as www.example.org");
  return mapOk(nameLabels(text), keptNameText);
}

/** Canonical name in rdata; a trailing dot is tolerated and dropped. */
export function parseRdataName(text: string): Result<string> {
  if (text === ROOT_TEXT) return ok(ROOT_TEXT);
  if (text === "") return fail("the name is empty; write a full name such as www.example.org");
  const folded = text.toLowerCase();
  const plain = folded.endsWith(".") ? folded.slice(0, -1) : folded;
  if (plain.length <= 253 && PLAIN_NAME.test(plain)) return ok(plain);
  return mapOk(nameLabels(folded), (labels) => labels.map(labelText).join("."));
}

/** The name in rdata as a DnsName: only the root is spelled differently. */
export function rdataNameToDnsName(text: string): DnsName {
  return trustedDnsName(text === ROOT_TEXT ? "" : text);
}

/** A DnsName as it stands in rdata. */
export function dnsNameToRdataName(name: DnsName): string {
  return name === "" ? ROOT_TEXT : name;
}

/**
 * The labels of a name as bytes, escapes undone, case kept; none for the root (`.` or empty).
 * Checks label length (63) and the length on the wire (255, RFC 1035 §2.3.4).
 */
export function nameLabels(text: string): Result<readonly Uint8Array[]> {
  if (text === "" || text === ROOT_TEXT) return ok([]);
  const labels: Uint8Array[] = [];
  let label: number[] = [];
  let position = 0;
  while (position < text.length) {
    const isDot = text.charCodeAt(position) === DOT;
    const read = isDot ? ok({ byte: DOT, length: 1 }) : nameByte(text, position);
    if (!read.ok) return read;
    position += read.value.length;
    if (!isDot) label.push(read.value.byte);
    if (!isDot && position < text.length) continue;
    if (label.length === 0)
      return fail("the name has an empty label (two dots in a row, or a leading dot)");
    if (label.length > LABEL_BYTES_MAX)
      return fail(`a label has ${label.length} bytes; at most ${LABEL_BYTES_MAX} are possible`);
    labels.push(Uint8Array.from(label));
    label = [];
  }
  const wireBytes = labels.reduce((sum, each) => sum + each.length + 1, 1);
  return wireBytes > 255
    ? fail(`the name has ${wireBytes} bytes on the wire; at most 255 are possible`)
    : ok(labels);
}

/** One byte, and how many characters of text it took. */
interface ReadByte {
  readonly byte: number;
  readonly length: number;
}

function nameByte(text: string, position: number): Result<ReadByte> {
  const code = text.charCodeAt(position);
  if (code === BACKSLASH) return readEscape(text, position);
  if (code <= 0x20 || code === 0x7f)
    return fail("a name holds no spaces or control characters; write them as \\DDD");
  if (code > 0x7f)
    return fail("a name holds ASCII only; write international names as A-labels (xn--…)");
  if ('"();'.includes(String.fromCharCode(code)))
    return fail(`the character ${String.fromCharCode(code)} in a name must be written as \\X`);
  return ok({ byte: code, length: 1 });
}

/** Reads `\DDD` or `\X` at `position` (RFC 1035 §5.1). */
export function readEscape(text: string, position: number): Result<ReadByte> {
  const digits = text.slice(position + 1, position + 4);
  if (/^\d/.test(digits)) {
    if (!/^\d{3}$/.test(digits) || Number(digits) > 255)
      return fail("after a backslash stand three digits from 000 to 255, or one other character");
    return ok({ byte: Number(digits), length: 4 });
  }
  const code = text.charCodeAt(position + 1);
  if (Number.isNaN(code)) return fail("the text ends with a single backslash");
  if (code < 0x20 || code > 0x7e)
    return fail("after a backslash stands a printable ASCII character");
  return ok({ byte: code, length: 2 });
}
