/**
 * Formats of texts that definitions use (k8s.io/kube-openapi pkg/validation/strfmt). A text of
 * another format is accepted as it is.
 */

/** RFC 4648 §4 with padding; white space between groups is tolerated. */
const BASE64 = /^(?:[A-Za-z0-9+/\s]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\s*$/;
/** RFC 3339 with an offset; fractions of any length. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
/** RFC 1123 §2.1, with underscores as strfmt has them. */
const HOST_NAME =
  /^(?:[a-zA-Z0-9_](?:[-a-zA-Z0-9_]{0,61}[a-zA-Z0-9_])?)(?:\.[a-zA-Z0-9_](?:[-a-zA-Z0-9_]{0,61}[a-zA-Z0-9_])?)*\.?$/;
/** Go `time.ParseDuration`, and strfmt's words for units. */
const DURATION =
  /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h)(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))*$/;
const DURATION_UNITS =
  /^\d+\s*(?:ns|nano|us|micro|ms|milli|s|sec|second|m|min|minute|h|hr|hour|d|day|w|week|wk)s?$/;

/** Dotted decimal without leading zeros. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
/** One group of an IPv6 address (RFC 4291 §2.2). */
const IPV6_GROUP = /^[0-9a-fA-F]{1,4}$/;
/** Groups of an IPv6 address. */
const IPV6_GROUPS = 8;
/** RFC 9562 §4; dashes may be omitted, as strfmt allows. */
const UUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

const TESTS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["byte", (text: string) => BASE64.test(text)],
  ["date-time", isTime],
  ["micro-time", isTime],
  ["date", isDate],
  ["duration", (text: string) => DURATION.test(text) || DURATION_UNITS.test(text) || text === "0"],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["cidr", isCidr],
  ["uri", (text: string) => URL.canParse(text) || text.startsWith("/")],
  ["email", (text: string) => /^[^\s@<>]+@[^\s@<>]+$/.test(text)],
  ["hostname", (text: string) => text.length <= 255 && HOST_NAME.test(text)],
  ["uuid", (text: string) => UUID.test(text)],
]);

/** True when the text has the format, or the format is not checked. */
export function hasFormat(format: string, text: string): boolean {
  return TESTS.get(format)?.(text) ?? true;
}

function isTime(text: string): boolean {
  return TIME.test(text) && !Number.isNaN(Date.parse(text));
}

/** A day that the calendar has: the 30th of February would be read as one of March. */
function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** An address of either family and the length of its prefix. */
export function isCidr(text: string): boolean {
  const [address = "", length = "", more] = text.split("/");
  if (more !== undefined || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return false;
  if (isIpv4(address)) return Number(length) <= 32;
  return isIpv6(address) && Number(length) <= 128;
}

/** True for an IPv4 address in dotted decimal. */
export function isIpv4(text: string): boolean {
  return IPV4.test(text);
}

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
