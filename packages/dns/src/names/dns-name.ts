/**
 * DnsName: an absolute domain name, lower case, A-labels, without trailing dot, parsed once at the
 * edge. This file knows no providers and no wire form; trailing dots are added in wire/ and
 * convert.ts only. RFC 1034 §3.1 (labels, lengths), RFC 4343 (case), RFC 4592 (wildcards), RFC 9499
 * (words).
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { isAscii, toAscii } from "./idna.ts";

declare const dnsNameBrand: unique symbol;

/**
 * Absolute, lower case, A-labels, no trailing dot: `www.example.org`. The root is the empty string.
 * Labels are text; a byte that is not in `[a-z0-9_-]`, `*` or `/` stands as `\DDD` or `\X` (RFC
 * 1035 §5.1).
 */
export type DnsName = string & { readonly [dnsNameBrand]: true };

/** Bytes in a label, RFC 1035 §2.3.4. */
export const LABEL_BYTES_MAX = 63;
/**
 * Bytes of a name in presentation form without trailing dot: 255 on the wire less length byte and
 * root.
 */
export const NAME_BYTES_MAX = 253;

const NO_A_LABEL =
  "the name has characters beyond ASCII that cannot be converted; write its A-label form (xn--…)";
const HOST_LABEL = /^(?!-)[a-z0-9_/-]*[a-z0-9_/](?<!-)$/;

/**
 * Reads a name as users and Kubernetes objects write it: case folded, one trailing dot tolerated.
 * Accepts host labels, a leading underscore label, `/` (RFC 2317) and `*` as the whole first label.
 * Letters beyond ASCII become A-labels (RFC 5891 §4).
 */
export function parseDnsName(text: string): Result<DnsName> {
  const ascii = isAscii(text) ? text : toAscii(text.trim());
  if (ascii === null) return fail(NO_A_LABEL);
  const folded = ascii.trim().toLowerCase();
  const name = folded.endsWith(".") ? folded.slice(0, -1) : folded;
  if (name === "") return fail("the name is empty; write a full name such as www.example.org");
  if (name.length > NAME_BYTES_MAX)
    return fail(`the name has ${name.length} bytes; at most ${NAME_BYTES_MAX} are possible`);
  for (const [index, label] of name.split(".").entries()) {
    const trouble = labelTrouble(label, index);
    if (trouble !== null) return fail(trouble);
  }
  return ok(brand(name));
}

/**
 * The apex of a back end that has no zones, such as a Pi-hole: every name is below it. It is
 * written `.`, so that no message shows an empty name.
 */
export const ROOT_ZONE = brand(".");

/** As `parseDnsName`, for the apex of a zone: accepts `.` as well. */
export function parseZoneName(text: string): Result<DnsName> {
  return text === ROOT_ZONE ? ok(ROOT_ZONE) : parseDnsName(text);
}

/** What is wrong with one label, or null. */
function labelTrouble(label: string, index: number): string | null {
  if (label === "") return "the name has an empty label (two dots in a row, or a leading dot)";
  if (label.length > LABEL_BYTES_MAX)
    return `the label "${label}" has ${label.length} bytes; at most ${LABEL_BYTES_MAX} are possible`;
  if (label === "*") return index === 0 ? null : "* may only stand as the whole first label";
  if (!HOST_LABEL.test(label))
    return `the label "${label}" may hold only letters, digits, - and _, and no - at its ends`;
  return null;
}

/**
 * A name that comes from the wire or from a provider, already canonical but for case: any bytes may
 * occur, escaped as `\DDD`. No checks are made; use `parseDnsName` for what people write.
 */
export function trustedDnsName(text: string): DnsName {
  return brand(text.toLowerCase());
}

/** The labels from left to right; none for the root. Escaped dots do not separate. */
export function labelsOf(name: DnsName): readonly string[] {
  if (name === "" || name === ROOT_ZONE) return [];
  if (!name.includes("\\")) return name.split(".");
  return name.match(/(?:\\\d{3}|\\.|[^.\\])+/g) ?? [];
}

/** The name without its first label; null for the root. */
export function parentOf(name: DnsName): DnsName | null {
  if (name === "") return null;
  if (!name.includes("\\")) {
    const dot = name.indexOf(".");
    return brand(dot < 0 ? "" : name.slice(dot + 1));
  }
  return brand(labelsOf(name).slice(1).join("."));
}

/**
 * True when `name` is `ancestor` or lies below it, label by label. Everything lies below the root.
 */
export function isAtOrBelow(name: DnsName, ancestor: DnsName): boolean {
  if (name === ancestor || ancestor === "" || ancestor === ROOT_ZONE) return true;
  return name.endsWith(`.${ancestor}`) && !isEscaped(name, name.length - ancestor.length - 1);
}

/**
 * An odd number of backslashes stands before `index`: `a\.b` has an escaped dot, `a\\.b` has not.
 */
function isEscaped(text: string, index: number): boolean {
  let start = index;
  while (text[start - 1] === "\\") start -= 1;
  return (index - start) % 2 === 1;
}

/** True for `*.…` (RFC 4592 §2.1.1). */
export function isWildcard(name: DnsName): boolean {
  return name === "*" || name.startsWith("*.");
}

/** `label.parent`, or null when the result would break a length limit. */
export function childName(label: string, parent: DnsName): DnsName | null {
  const name = labelsOf(parent).length === 0 ? label : `${label}.${parent}`;
  if (label.length > LABEL_BYTES_MAX || name.length > NAME_BYTES_MAX) return null;
  return brand(name.toLowerCase());
}

function brand(text: string): DnsName {
  return text as DnsName;
}
