/** AAAA: an IPv6 address. RFC 3596 §2.2; canonical text RFC 5952 §4, §5 (only `::ffff:0:0/96` in mixed notation). */
import { fail, ok, type Result } from "../result.ts";
import { ipv4Bytes, ipv4Text } from "./a.ts";
import type { RdataFormat } from "./rdata-format.ts";

/** The sixteen bytes of an IPv6 address (RFC 4291 §2.2, no zone id, no prefix length), else null. */
export function ipv6Bytes(text: string): Uint8Array | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const compressed = halves.length === 2;
  const head = groupsOf(halves[0] ?? "", !compressed);
  const tail = compressed ? groupsOf(halves[1] ?? "", true) : [];
  if (head === null || tail === null) return null;
  const missing = 8 - head.length - tail.length;
  if (compressed ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...new Array<number>(missing).fill(0), ...tail];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** 16-bit groups of one side of `::`; a dotted tail counts as two. Null = malformed. */
function groupsOf(text: string, mayEndDotted: boolean): readonly number[] | null {
  if (text === "") return [];
  const groups: number[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    const dotted = mayEndDotted && index === parts.length - 1 ? dottedGroups(part) : null;
    if (dotted !== null) groups.push(...dotted);
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
}

function dottedGroups(part: string): readonly number[] | null {
  const bytes = ipv4Bytes(part);
  if (bytes === null) return null;
  const view = new DataView(bytes.buffer);
  return [view.getUint16(0), view.getUint16(2)];
}

/** Canonical text of sixteen bytes. */
export function ipv6Text(bytes: Uint8Array): string {
  const groups = Array.from(
    { length: 8 },
    (_, index) => ((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0),
  );
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return `::ffff:${ipv4Text(bytes.slice(12))}`;
  const run = longestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  if (run.length < 2) return hex.join(":");
  return `${hex.slice(0, run.start).join(":")}::${hex.slice(run.start + run.length).join(":")}`;
}

/** The first of the longest runs of zero groups (RFC 5952 §4.2.3). */
function longestZeroRun(groups: readonly number[]): {
  readonly start: number;
  readonly length: number;
} {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (const [index, group] of groups.entries()) {
    if (group !== 0) start = index + 1;
    else if (index + 1 - start > best.length) best = { start, length: index + 1 - start };
  }
  return best;
}

function parse(text: string): Result<string> {
  const bytes = ipv6Bytes(text.trim());
  return bytes === null
    ? fail(`"${text}" is no IPv6 address; write one such as 2001:db8::1`)
    : ok(ipv6Text(bytes));
}

/** Type 28. */
export const AAAA: RdataFormat = { type: "AAAA", parse };
