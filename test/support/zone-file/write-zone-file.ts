/**
 * Writes zone files that every name server reads (RFC 1035 §5.1): one record a line, all names
 * absolute, in the canonical order of RFC 4034 §6.1 with the SOA first, so that equal zones are
 * equal files.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { nameLabels, ROOT_TEXT } from "@zonekeeper/dns/rdata/name-text";
import { splitTokens } from "@zonekeeper/dns/rdata/tokens";
import type { ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import { fieldsOf, isNameField } from "./name-tokens.ts";

/**
 * The whole file; ends with a line break. Records without data (RFC 2136) and other classes than IN
 * are left out.
 */
export function writeZoneFile(records: Iterable<ResourceRecord>): string {
  const lines = [...records].flatMap(sortableLine).sort(compareLines);
  return lines.map(({ line }) => `${line}\n`).join("");
}

interface SortableLine {
  readonly isSoa: boolean;
  readonly nameKey: string;
  readonly type: string;
  readonly line: string;
}

function sortableLine(record: ResourceRecord): readonly SortableLine[] {
  const { name, type, ttlSeconds, data } = record;
  if (data === null || record.class !== "IN") return [];
  const line = `${absolute(name)}\t${ttlSeconds}\tIN\t${type}\t${absoluteRdata(type, data)}`;
  return [{ isSoa: type === "SOA", nameKey: canonicalKey(name), type, line }];
}

function compareLines(a: SortableLine, b: SortableLine): number {
  return (
    Number(b.isSoa) - Number(a.isSoa) ||
    compareText(a.nameKey, b.nameKey) ||
    compareText(a.type, b.type) ||
    compareText(a.line, b.line)
  );
}

/** RFC 4034 §6.1: labels from the right, compared as bytes; a name sorts before those below it. */
function canonicalKey(name: DnsName): string {
  const labels = nameLabels(name);
  if (!labels.ok) return name;
  return labels.value
    .toReversed()
    .map((label) => [...label].map((byte) => String.fromCharCode(byte + 1)).join(""))
    .join("\u0000");
}

function absolute(name: string): string {
  return name === "" || name === ROOT_TEXT ? ROOT_TEXT : `${name}.`;
}

/** Canonical rdata with a dot behind each name. */
function absoluteRdata(type: string, data: string): string {
  const fields = fieldsOf(type);
  if (!fields.some(isNameField) || data.startsWith("\\# ")) return data;
  const tokens = splitTokens(data);
  if (!tokens.ok) return data;
  return tokens.value
    .map((token, index) => (isNameField(fields[index]) ? absolute(token) : token))
    .join(" ");
}
