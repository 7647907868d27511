/**
 * Names and rdata for APIs that want each name with a dot at its end (RFC 1035 §5.1), and back.
 * Pure; for the `convert.ts` of providers only.
 */
import { type DnsName, trustedDnsName } from "../../model/dns-name.ts";
import { parseRdata } from "../../model/rdata/index.ts";
import { splitTokens } from "../../model/rdata/tokens.ts";

/** Which token of rdata is a name. */
const NAME_TOKENS: Readonly<Record<string, number>> = {
  CNAME: 0,
  DNAME: 0,
  HTTPS: 1,
  MX: 1,
  NAPTR: 5,
  NS: 0,
  PTR: 0,
  SRV: 3,
  SVCB: 1,
};

/** `example.org.` → `example.org`; the caller knows whether the text may have capitals. */
export function withoutDot(text: string): DnsName {
  return trustedDnsName(text.replace(/\.$/, ""));
}

/** `example.org` → `example.org.`. */
export function withDot(name: DnsName): string {
  return `${name}.`;
}

/** Canonical rdata; what cannot be read stays as it is. */
export function readRdata(type: string, content: string): string {
  const parsed = parseRdata(type, content);
  return parsed.ok ? parsed.value : content;
}

/** Canonical rdata with a dot at the end of its name. */
export function dottedRdata(type: string, value: string): string {
  const nameIndex = NAME_TOKENS[type];
  const tokens = splitTokens(value);
  if (nameIndex === undefined || !tokens.ok) return value;
  const texts = tokens.value.map((text, index) =>
    index === nameIndex && text !== "." ? `${text}.` : text,
  );
  return texts.join(" ");
}
