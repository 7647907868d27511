/**
 * Names and values as the API writes them: a trailing dot, `\ooo` in octal for each byte that is
 * not plain (developer guide, "DNS domain name format"). Pure.
 */
import { type DnsName, trustedDnsName } from "../../model/dns-name.ts";
import { parseRdata } from "../../model/rdata/index.ts";

const OCTAL = 8;
const ESCAPE = /\\(\d{3}|[^\d])/g;
const NAME_PLAIN = /^[a-z0-9_-]$/;

/** `\052.example.org.` → `*.example.org`. */
export function toName(text: string): DnsName {
  const folded = text.toLowerCase().replace(/\.$/, "");
  return trustedDnsName(folded.replace(ESCAPE, (_, code: string) => nameByte(byteOf(code, OCTAL))));
}

function nameByte(byte: number): string {
  const character = String.fromCharCode(byte).toLowerCase();
  if (NAME_PLAIN.test(character) || character === "*" || character === "/") return character;
  if (byte > 0x20 && byte < 0x7f) return `\\${character}`;
  return `\\${String(byte).padStart(3, "0")}`;
}

/** `*.example.org` → `\052.example.org.`. */
export function fromName(name: DnsName): string {
  const escaped = name.replace(ESCAPE, (_, code: string) => octal(byteOf(code, 10)));
  return `${escaped.replace(/[*/]/g, (one) => octal(one.charCodeAt(0)))}.`;
}

/** Canonical rdata; what cannot be read stays as it is. */
export function toValue(type: string, value: string): string {
  const parsed = parseRdata(type, isText(type) ? decimalEscapes(value, OCTAL) : value);
  return parsed.ok ? parsed.value : value;
}

/** Rdata as the API takes it: canonical, with octal escapes. */
export function fromValue(type: string, value: string): string {
  const parsed = parseRdata(type, value);
  const canonical = parsed.ok ? parsed.value : value;
  if (!isText(type)) return canonical;
  return canonical.replace(ESCAPE, (all, code: string) =>
    code.length === 3 ? octal(byteOf(code, 10)) : all,
  );
}

function isText(type: string): boolean {
  return type === "TXT" || type === "SPF";
}

function decimalEscapes(text: string, radix: number): string {
  return text.replace(ESCAPE, (all, code: string) =>
    code.length === 3 ? `\\${String(byteOf(code, radix)).padStart(3, "0")}` : all,
  );
}

function octal(byte: number): string {
  return `\\${byte.toString(OCTAL).padStart(3, "0")}`;
}

function byteOf(code: string, radix: number): number {
  return code.length === 3 ? Number.parseInt(code, radix) & 0xff : code.charCodeAt(0);
}
