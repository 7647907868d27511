/**
 * Names and values as the API writes them: a trailing dot, `\ooo` in octal for each byte that is
 * not plain (developer guide, "DNS domain name format"). Pure.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { parseRdata } from "@zonekeeper/dns/rdata/index";
import { renamedRdata } from "../shared/dotted-rdata.ts";

const OCTAL = 8;
/** As the API writes them, and as canonical text has them. */
const OCTAL_ESCAPE = /\\([0-3][0-7]{2}|\D)/g;
const DECIMAL_ESCAPE = /\\(\d{3}|\D)/g;
const NAME_PLAIN = /^[a-z0-9_*/-]$/;
/** What has another form in canonical names. */
const NAME_SPECIAL = /\\(\D)|[*/]/g;

/** `\052.example.org.` → `*.example.org`. */
export function toName(text: string): DnsName {
  const folded = text.toLowerCase().replace(/\.$/, "");
  return trustedDnsName(
    folded.replace(OCTAL_ESCAPE, (_, code: string) => nameByte(byteOf(code, OCTAL))),
  );
}

function nameByte(byte: number): string {
  const character = String.fromCharCode(byte).toLowerCase();
  if (NAME_PLAIN.test(character)) return character;
  return byte > 0x20 && byte < 0x7f ? `\\${character}` : `\\${digits(byte, 10)}`;
}

/** `*.example.org` → `\052.example.org.`. */
export function fromName(name: string): string {
  return `${octalName(octalEscapes(name))}.`;
}

/** Canonical rdata; what cannot be read stays as it is. */
export function toValue(type: string, value: string): string {
  const decimal = value.replace(OCTAL_ESCAPE, (all, code: string) =>
    code.length === 3 ? `\\${digits(byteOf(code, OCTAL), 10)}` : all,
  );
  const parsed = parseRdata(type, decimal);
  return parsed.ok ? parsed.value : value;
}

/** Rdata as the API takes it: canonical, with octal escapes. */
export function fromValue(type: string, value: string): string {
  const parsed = parseRdata(type, value);
  const canonical = parsed.ok ? parsed.value : value;
  return renamedRdata(type, octalEscapes(canonical), octalName);
}

function octalEscapes(text: string): string {
  return text.replace(DECIMAL_ESCAPE, (all, code: string) =>
    code.length === 3 ? octal(byteOf(code, 10)) : all,
  );
}

function octalName(name: string): string {
  return name.replace(NAME_SPECIAL, (all, escaped: string | undefined) =>
    octal((escaped ?? all).charCodeAt(0)),
  );
}

function octal(byte: number): string {
  return `\\${digits(byte, OCTAL)}`;
}

function digits(byte: number, radix: number): string {
  return byte.toString(radix).padStart(3, "0");
}

function byteOf(code: string, radix: number): number {
  return code.length === 3 ? Number.parseInt(code, radix) & 0xff : code.charCodeAt(0);
}
