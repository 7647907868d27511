/** What is an IP address. Pure. */

/** Dotted decimal without leading zeros. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
/** One group of an IPv6 address (RFC 4291 §2.2). */
const IPV6_GROUP = /^[0-9a-fA-F]{1,4}$/;
/** Groups of an IPv6 address. */
const IPV6_GROUPS = 8;

/** True for an IPv4 address in dotted decimal. */
export const isIpv4 = (text: string): boolean => IPV4.test(text);

/** True for an IPv6 address without zone, also with an IPv4 address at its end (RFC 4291 §2.2). */
export function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1) ?? "";
  const isMixed = last.includes(".");
  const plain = isMixed ? groups.slice(0, -1) : groups;
  if (!plain.every((group) => IPV6_GROUP.test(group)) || (isMixed && !isIpv4(last))) return false;
  const count = plain.length + (isMixed ? 2 : 0);
  return halves.length === 2 ? count < IPV6_GROUPS : count === IPV6_GROUPS;
}
