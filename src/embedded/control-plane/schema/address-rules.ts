/** Rules of addresses, ports and protocols that several kinds share. Pure. */
import type { FieldError } from "../errors/api-error.ts";

/** Dotted decimal without leading zeros. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
/** One group of an IPv6 address (RFC 4291 §2.2). */
const IPV6_GROUP = /^[0-9a-fA-F]{1,4}$/;
/** Groups of an IPv6 address. */
const IPV6_GROUPS = 8;
const PROTOCOLS = ["SCTP", "TCP", "UDP"];

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

/** Empty = an IP address of either family. */
export function checkIpAddress(value: string, field: string): readonly FieldError[] {
  if (isIpv4(value) || isIpv6(value)) return [];
  const detail = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
  return [{ field, reason: "FieldValueInvalid", value, detail }];
}

/** Empty = a port number. */
export function checkPortNumber(value: unknown, field: string): readonly FieldError[] {
  if (typeof value === "number" && value >= 1 && value <= 65_535) return [];
  const detail = "must be between 1 and 65535, inclusive";
  return [{ field, reason: "FieldValueInvalid", value, detail }];
}

/** Empty = TCP, UDP or SCTP. */
export function checkProtocol(value: string, field: string): readonly FieldError[] {
  return checkOneOf(value, field, PROTOCOLS);
}

/** Empty = one of `supported`, which is sorted. */
export function checkOneOf(
  value: string,
  field: string,
  supported: readonly string[],
): readonly FieldError[] {
  if (supported.includes(value)) return [];
  const detail = `supported values: ${supported.map((each) => JSON.stringify(each)).join(", ")}`;
  return [{ field, reason: "FieldValueNotSupported", value, detail }];
}
