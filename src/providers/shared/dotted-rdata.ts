/**
 * Names and rdata for APIs that want each name with a dot at its end (RFC 1035 §5.1), and back.
 * Pure; for the `convert.ts` of providers, and names in their settings.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { isAscii } from "@zonekeeper/dns/names/idna";
import { parseRdata } from "@zonekeeper/dns/rdata/index";
import { splitTokens } from "@zonekeeper/dns/rdata/tokens";

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

/** `例子.org.`, `Xn--FSQU00A.org` → `xn--fsqu00a.org`; a label that has no A-label stays. */
export function nameFromUnicode(text: string): DnsName {
  return withoutDot(text.split(".").map(asciiLabel).join("."));
}

/** Keeps the platform from taking a number for an address. */
const TAIL = ".invalid";

function asciiLabel(label: string): string {
  const url = `http://${label}${TAIL}`;
  if (isAscii(label) || !URL.canParse(url)) return label;
  const { hostname } = new URL(url);
  return hostname.endsWith(TAIL) ? hostname.slice(0, -TAIL.length) : label;
}

/** Canonical rdata, its name with A-labels; what cannot be read stays as it is. */
export function readRdata(type: string, content: string): string {
  const read = isAscii(content) ? content : renamedRdata(type, content, nameFromUnicode);
  const parsed = parseRdata(type, read);
  return parsed.ok ? parsed.value : content;
}

/** Canonical rdata with a dot at the end of its name. */
export function dottedRdata(type: string, value: string): string {
  return renamedRdata(type, value, (name) => (name === "." ? name : `${name}.`));
}

/** The rdata with another text for its name, if it has one. */
export function renamedRdata(
  type: string,
  value: string,
  rename: (name: string) => string,
): string {
  const nameIndex = NAME_TOKENS[type];
  const tokens = splitTokens(value);
  if (nameIndex === undefined || !tokens.ok) return value;
  return tokens.value.map((text, index) => (index === nameIndex ? rename(text) : text)).join(" ");
}
