/**
 * The formats of texts that kube-apiserver looks at (k8s.io/kube-openapi pkg/validation/strfmt),
 * less those of books, credit cards and social security. Others are not looked at.
 */
import { isIpv4, isIpv6 } from "./address-rules.ts";

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
const DURATION_WORDS =
  /^\d+\s*(?:ns|nano|us|micro|ms|milli|s|sec|second|m|min|minute|h|hr|hour|d|day|w|week|wk)s?$/;

const TESTS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["byte", (text: string) => BASE64.test(text)],
  ["date-time", isTime],
  ["datetime", isTime],
  ["micro-time", isTime],
  ["date", (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))],
  ["duration", (text: string) => DURATION.test(text) || DURATION_WORDS.test(text) || text === "0"],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["cidr", isCidr],
  [
    "mac",
    (text: string) =>
      /^[0-9a-fA-F]{2}(?:([:-])[0-9a-fA-F]{2})(?:\1[0-9a-fA-F]{2}){4,6}$/.test(text),
  ],
  ["uri", (text: string) => URL.canParse(text) || text.startsWith("/")],
  ["email", (text: string) => /^[^\s@<>]+@[^\s@<>]+$/.test(text)],
  ["hostname", (text: string) => text.length <= 255 && HOST_NAME.test(text)],
  ["uuid", uuid("[0-9a-f]")],
  ["uuid3", uuid("3")],
  ["uuid4", uuid("4")],
  ["uuid5", uuid("5")],
  ["bsonobjectid", (text: string) => /^[0-9a-fA-F]{24}$/.test(text)],
  ["hexcolor", (text: string) => /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text)],
]);

/** True when the text has the format, or the format is not looked at. */
export function hasFormat(format: string, text: string): boolean {
  return TESTS.get(format)?.(text) ?? true;
}

function isTime(text: string): boolean {
  return TIME.test(text) && !Number.isNaN(Date.parse(text));
}

/** An address of either family and the length of its prefix. */
export function isCidr(text: string): boolean {
  const [address = "", length = "", more] = text.split("/");
  if (more !== undefined || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return false;
  if (isIpv4(address)) return Number(length) <= 32;
  return isIpv6(address) && Number(length) <= 128;
}

/** RFC 9562 §4 with a version; dashes may be left out as strfmt allows. */
function uuid(version: string): (text: string) => boolean {
  const pattern = new RegExp(
    `^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`,
    "i",
  );
  return (text) => pattern.test(text);
}
