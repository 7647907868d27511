/**
 * A small reader and writer of zone text for the name server's tests: one record a line, `name
 * [ttl] TYPE rdata`, names relative to the apex unless they end in a dot, `@` = the apex, `;`
 * begins a comment. Not a zone file parser.
 */

import { zoneFrom } from "@zonekeeper/dns/name-server/zone/zone-edit";
import type {
  ZoneRecord,
  ZoneRecordSet,
  ZoneVersion,
} from "@zonekeeper/dns/name-server/zone/zone-version";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { ResourceRecord } from "@zonekeeper/dns/wire/message/message";

/** The apex of every test zone. */
export const APEX = trustedDnsName("example.org");

/** SOA and NS that every test zone has: serial 7, SOA TTL 3600, minimum 60. */
export const APEX_TEXT = `
  @ 3600 SOA ns1.example.org hostmaster.example.org 7 3600 600 86400 60
  @ 3600 NS ns1
`;

/** A name as the text has it. */
export function nameOf(text: string, apex: DnsName = APEX): DnsName {
  if (text === "@") return apex;
  return trustedDnsName(text.endsWith(".") ? text.slice(0, -1) : `${text}.${apex}`);
}

/** Records of a text; the TTL is 300 where there is none, the class may be left out. */
export function recordsFrom(text: string, apex: DnsName = APEX): readonly ZoneRecord[] {
  return linesOf(text).map((line) => {
    const [name = "", ...rest] = line.split(/\s+/);
    const ttlSeconds = /^\d+$/.test(rest[0] ?? "") ? Number(rest.shift()) : 300;
    if (rest[0] === "IN") rest.shift();
    const [type = "", ...fields] = rest;
    const data = dataOf(type, fields, apex);
    return { name: nameOf(name, apex), type, class: "IN", ttlSeconds, data };
  });
}

/** A version with the apex records and those of the text. */
export function zoneFromText(text: string): ZoneVersion {
  return zoneFrom(APEX, setsFrom(`${APEX_TEXT}\n${text}`));
}

/** Record sets of a text. */
export function setsFrom(text: string, apex: DnsName = APEX): readonly ZoneRecordSet[] {
  const groups = new Map<string, ZoneRecord[]>();
  for (const record of recordsFrom(text, apex)) {
    const key = `${record.name} ${record.type}`;
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return [...groups.values()].map((records) => ({
    ...(records[0] as ZoneRecord),
    values: records.map((record) => record.data),
  }));
}

/** Records as sorted text lines, names relative to the apex. */
export function textOf(records: Iterable<ZoneRecord | ResourceRecord>): readonly string[] {
  return [...records].map(lineOf).sort();
}

/** All of a zone as sorted text lines, SOA included. */
export function zoneText(zone: ZoneVersion): readonly string[] {
  return textOf([zone.soaRecord, ...zone.records()]);
}

/** The lines of a text without comments, blank lines and indentation. */
export function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/(^|\s);.*$/, "").trim())
    .filter((line) => line !== "");
}

function lineOf(record: ZoneRecord | ResourceRecord): string {
  return `${relative(record.name)} ${record.ttlSeconds} ${record.type} ${record.data ?? ""}`.trim();
}

function relative(name: string): string {
  if (name === APEX) return "@";
  return name.endsWith(`.${APEX}`) ? name.slice(0, -APEX.length - 1) : `${name}.`;
}

function dataOf(type: string, fields: readonly string[], apex: DnsName): string {
  if (!["NS", "CNAME", "DNAME", "PTR", "MX"].includes(type)) return fields.join(" ");
  return [...fields.slice(0, -1), nameOf(fields.at(-1) ?? "", apex)].join(" ");
}
