/**
 * A: an IPv4 address, RFC 1035 §3.4.1. AAAA: an IPv6 address, RFC 3596 §2.2; canonical text RFC
 * 5952 §4, §5 (only `::ffff:0:0/96` in mixed notation).
 */
import { fail, ok } from "@zonekeeper/base/result";
import type { RdataFormat } from "./rdata-format.ts";

const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const ADDRESS = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);

/** The four bytes of a dotted IPv4 address without leading zeros, else null. */
export function ipv4Bytes(text: string): Uint8Array | null {
  return ADDRESS.test(text) ? new Uint8Array(text.split(".").map(Number)) : null;
}

/** The dotted text of four bytes: `192.0.2.1`. */
export function ipv4Text(bytes: Uint8Array): string {
  return bytes.join(".");
}

/** Type 1. An address has one text, so that none is made anew. */
export const A: RdataFormat = {
  type: "A",
  parse(text) {
    const trimmed = text.trim();
    return ADDRESS.test(trimmed)
      ? ok(trimmed)
      : fail(`"${text}" is no IPv4 address; write one such as 192.0.2.1`);
  },
};

/**
 * The sixteen bytes of an IPv6 address (RFC 4291 §2.2, no zone id, no prefix length), else null.
 */
export function ipv6Bytes(text: string): Uint8Array | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const compressed = halves.length === 2;
  const head = groupsOf(halves[0] ?? "", !compressed);
  const tail = compressed ? groupsOf(halves[1] ?? "", true) : [];
  if (head === null || tail === null) return null;
  const missing = 8 - head.length - tail.length;
  if (compressed ? missing < 1 : missing !== 0) return null;
  // This runs for every address of every message: the bytes are written in place, not copied from a
  // list.
  const bytes = new Uint8Array(16);
  putGroups(bytes, 0, head);
  putGroups(bytes, 16 - 2 * tail.length, tail);
  return bytes;
}

function putGroups(bytes: Uint8Array, start: number, groups: readonly number[]): void {
  for (let index = 0; index < groups.length; index++) {
    const group = groups[index] ?? 0;
    bytes[start + 2 * index] = group >> 8;
    bytes[start + 2 * index + 1] = group & 0xff;
  }
}

/** 16-bit groups of one side of `::`; a dotted tail counts as two. Null = malformed. */
function groupsOf(text: string, mayEndDotted: boolean): readonly number[] | null {
  if (text === "") return [];
  const groups: number[] = [];
  const groupTexts = text.split(":");
  for (let index = 0; index < groupTexts.length; index++) {
    const part = groupTexts[index] ?? "";
    const isLast = index === groupTexts.length - 1;
    const dotted = mayEndDotted && isLast && part.includes(".") ? ipv4Bytes(part) : null;
    if (dotted !== null) {
      const [a = 0, b = 0, c = 0, d = 0] = dotted;
      groups.push((a << 8) | b, (c << 8) | d);
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
}

/** Canonical text of sixteen bytes. */
export function ipv6Text(bytes: Uint8Array): string {
  const groups: number[] = [];
  for (let at = 0; at < 16; at += 2) groups.push(((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0));
  const run = longestZeroRun(groups);
  if (run.start === 0 && run.length === 5 && groups[5] === 0xffff)
    return `::ffff:${ipv4Text(bytes.subarray(12))}`;
  if (run.length < 2) return hexOf(groups, 0, 8);
  return `${hexOf(groups, 0, run.start)}::${hexOf(groups, run.start + run.length, 8)}`;
}

function hexOf(groups: readonly number[], start: number, end: number): string {
  let text = "";
  for (let index = start; index < end; index++)
    text += `${index === start ? "" : ":"}${(groups[index] ?? 0).toString(16)}`;
  return text;
}

/** The first of the longest runs of zero groups (RFC 5952 §4.2.3). */
function longestZeroRun(groups: readonly number[]): {
  readonly start: number;
  readonly length: number;
} {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (let index = 0; index < groups.length; index++) {
    if (groups[index] !== 0) start = index + 1;
    else if (index + 1 - start > best.length) best = { start, length: index + 1 - start };
  }
  return best;
}

/** Type 28. */
export const AAAA: RdataFormat = {
  type: "AAAA",
  parse(text) {
    const bytes = ipv6Bytes(text.trim());
    return bytes === null
      ? fail(`"${text}" is no IPv6 address; write one such as 2001:db8::1`)
      : ok(ipv6Text(bytes));
  },
};
