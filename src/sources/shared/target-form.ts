/**
 * Texts that people write where a target belongs and that are neither an address nor a host name.
 * Each gets words of its own: what is wrong, and what to write. Judges the form only.
 */
import { type DnsName, labelsOf } from "@zonekeeper/dns/names/dns-name";
import { ipv4Bytes, ipv6Bytes } from "@zonekeeper/dns/rdata/addresses";
import { isInternalAddress } from "../../model/addresses.ts";

/** Tried in this order, because some texts have two of these forms. */
const MISTAKES: readonly (readonly [form: RegExp, message: string])[] = [
  [/^$/, "it is empty; write an address or a host name"],
  [/:\/\//, "it is a URL; write its host name alone, without scheme, port and path"],
  [/[\s,;]/, "it holds more than one target; write each as a target of its own"],
  [/^\[/, "write the IPv6 address without brackets and without a port"],
  [/^[\d.]+\/\d+$/, "it is a network; write one address, without /…"],
  [/^[\da-f:.]+:[\da-f:.]*\/\d+$/i, "it is a network; write one address, without /…"],
  [/^[\da-f:]+%/i, "a zone index (%…) has a meaning on one host only; write an address without it"],
  [/^[^:]+:\d{1,5}$/, "a DNS record holds no port; write it without :…"],
  [/^[^:]*:$/, "it ends with a colon; write an address or a host name alone"],
  [/^[^:]*:[^:]*$/, "it has a : and is no IPv6 address; write an address or a host name alone"],
];

/** What is written like an address, whatever the script of its digits. */
const LIKE_ADDRESS = /^(?:[\p{Nd}.]+|[\p{Nd}a-f.]*:[\p{Nd}a-f.:]*)$/iu;

/** True for what is read as an address, whether or not it is a right one. */
export function isAddressText(text: string): boolean {
  return text.includes(":") || /^[\d.]+$/.test(text);
}

/**
 * True for what nobody outside of a host or link reaches, or what is no single host: loopback,
 * link-local, unspecified, IPv4-mapped, multicast and broadcast addresses (RFC 6890, RFC 5771,
 * RFC 4291 §2.7), and `localhost` (RFC 6761 §6.3) with what Debian calls it. Those that RFC 1112 §4
 * reserves are hosts in clouds (Google VPC, "Valid ranges"). What is no address at all has messages
 * of its own.
 */
export function isImplausible(text: string): boolean {
  if (!isAddressText(text)) return LOCALHOST.test(text);
  const ipv6 = text.includes(":") ? ipv6Bytes(text) : null;
  const [first] = ipv6 ?? ipv4Bytes(text) ?? [];
  if (first === undefined) return false;
  // 224.0.0.0/4 and ff00::/8 are multicast.
  const isMany = ipv6 === null ? first >> 4 === 0xe || text === BROADCAST : first === 0xff;
  const isMapped = ipv6?.subarray(0, 12).toString() === MAPPED;
  return isMany || isInternalAddress(text) || isMapped;
}

const LOCALHOST = /^(?:.+\.)?(?:localhost|ip6-(?:localhost|loopback))(?:\.localdomain)?\.?$/i;

const BROADCAST = "255.255.255.255";

/** How `::ffff:a.b.c.d` begins (RFC 4291 §2.5.5.2). */
const MAPPED = "0,0,0,0,0,0,0,0,0,0,255,255";

/** Why the trimmed text cannot be a target, with the remedy; null = its form is possible. */
export function targetMistake(text: string): string | null {
  const mistake = MISTAKES.find(([form]) => form.test(text));
  if (mistake !== undefined) return mistake[1];
  // A host name may have digits of another script (RFC 5892 appendix A.8); an address may not.
  const digit = LIKE_ADDRESS.test(text) ? /(?!\d)\p{Nd}/u.exec(text)?.[0] : undefined;
  if (digit === undefined) return null;
  return `it has the digit "${digit}" of another script; write the digits 0 to 9`;
}

/**
 * Why the name is no host name, with the remedy; null = it is one. Its last label is no number,
 * also not a hexadecimal one (RFC 1123 §2.1: such a text is read as an address, by inet_aton too).
 * `/` stands in reverse zones alone (RFC 2317 §4).
 */
export function hostMistake(name: DnsName): string | null {
  const labels = labelsOf(name);
  const last = labels.at(-1) ?? "";
  if (/^(?:\d+|0x[\da-f]*)$/.test(last))
    return `it is no host name, because its last label "${last}" is a number; write an address or a host name`;
  if (name.includes("/") && last !== "arpa")
    return "it is no host name, because it has a /; write the host name alone";
  if (labels[0] === "*") return "it is a wildcard; write one host name";
  return null;
}
