/**
 * Records of CoreDNS (plugin/etcd/msg/service.go) as record sets, and how record sets change them.
 * What is no record of ours, and fields that we do not know, stay. Pure; decides nothing.
 */
import { jsonIn } from "@zonekeeper/base/json-text";
import {
  type DnsName,
  isAtOrBelow,
  labelsOf,
  trustedDnsName,
} from "@zonekeeper/dns/names/dns-name";
import { ipv4Bytes, ipv6Bytes } from "@zonekeeper/dns/rdata/addresses";
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import { type Fields, isFields, numberOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { fingerprint64 } from "../../model/fingerprint.ts";
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import {
  charactersOf,
  cutCharacters,
  cutText,
  quotedPieces,
  recutText,
} from "../shared/cut-text.ts";
import { readRdata } from "../shared/dotted-rdata.ts";
import { normalizePlain, setsOfValues } from "../shared/plain-sets.ts";
import { plainTroubles, toProblems } from "../shared/record-troubles.ts";
import { CAPABILITIES, TEXT_CHARACTERS_MAX, TTL_SECONDS_DEFAULT, VALUES_MAX } from "./limits.ts";

/** A key as it is. */
export interface EtcdEntry {
  readonly key: string;
  /** The revision that wrote it; empty = it is not written yet. */
  readonly revision: string;
  /** Null = the value is no JSON object; it is never changed. */
  readonly fields: Fields | null;
}

/** Where records of a zone are. */
export interface KeySpace {
  readonly prefix: string;
  readonly apex: DnsName;
}

/** One value that a key shows. */
interface Shown {
  readonly type: string;
  readonly value: string;
}

/** The fields of a key; null = it is no JSON object. */
export function fieldsIn(text: string): Fields | null {
  const value = jsonIn(text);
  return isFields(value) ? value : null;
}

/** The name that a key is about; null = none. */
export function entryName({ key, fields }: EtcdEntry, { prefix, apex }: KeySpace): DnsName | null {
  const strip = numberOf(fields?.["targetstrip"]) ?? 0;
  const name = nameOf(prefix, key, Math.max(0, Math.trunc(strip)));
  return name === null ? null : shownName(name, apex);
}

/** The record sets of one name. Values of one set with several TTLs have the least. */
export function toSets(name: DnsName, entries: readonly EtcdEntry[]): readonly RecordSet[] {
  return setsOfValues(
    entries.flatMap(({ fields }) =>
      shownBy(name, fields).map((shown) => ({ name, ttlSeconds: ttlOf(fields), ...shown })),
    ),
  );
}

function ttlOf(fields: Fields | null): number {
  const ttl = numberOf(fields?.["ttl"]) ?? 0;
  return ttl > 0 ? ttl : TTL_SECONDS_DEFAULT;
}

/** A key may have a host and a text at once. */
function shownBy(name: DnsName, fields: Fields | null): readonly Shown[] {
  const [host, text] = [textOf(fields?.["host"])?.replace(/\.$/, ""), textOf(fields?.["text"])];
  const shown = host === undefined ? [] : [{ type: hostType(name, host), value: host }];
  // As CoreDNS serves it: escapes count, quotes stand for themselves, 255 characters a string.
  const escaped = charactersOf(text ?? "").map((one) => (one === '"' ? String.raw`\"` : one));
  const value = quotedPieces(cutCharacters(escaped, TEXT_CHARACTERS_MAX));
  return [...shown, ...(text === null ? [] : [{ type: "TXT", value }])].map((one) => ({
    type: one.type,
    value: readRdata(one.type, one.value),
  }));
}

function hostType(name: DnsName, host: string): string {
  if (ipv4Bytes(host) !== null) return "A";
  if (ipv6Bytes(host) !== null) return "AAAA";
  return isReverse(name) ? "PTR" : "CNAME";
}

/** Names whose hosts answer questions for PTR (plugin/etcd/handler.go). */
function isReverse(name: DnsName): boolean {
  return name.endsWith(".in-addr.arpa") || name.endsWith(".ip6.arpa");
}

/** What stands in `text` for TXT rdata. */
function textField(rdata: string): string {
  return (cutText(rdata, TEXT_CHARACTERS_MAX) ?? []).join("");
}

/** The set as the back end will show it. */
export function normalizeSet(set: RecordSet): RecordSet {
  const plain = normalizePlain(set, CAPABILITIES.ttl);
  if (set.type !== "TXT") return plain;
  const values = plain.values.map((value) => recutText(value, TEXT_CHARACTERS_MAX));
  return { ...plain, values: canonicalValues(values) };
}

/** The entries without these values of the type; what else a key shows stays in it. */
export function withoutValues(
  entries: readonly EtcdEntry[],
  { name, type, values }: RecordSet,
): readonly EtcdEntry[] {
  return entries.flatMap((entry) => {
    const shown = shownBy(name, entry.fields);
    const isGoing = (one: Shown): boolean => one.type === type && values.includes(one.value);
    if (!shown.some(isGoing)) return [entry];
    const left = shown.filter((one) => !isGoing(one));
    const { host: _host, text: _text, ...rest } = entry.fields ?? {};
    const field = type === "TXT" ? "host" : "text";
    const stays = entry.fields?.[field];
    return left.length === 0 ? [] : [{ ...entry, fields: { ...rest, [field]: stays } }];
  });
}

/** The entries with exactly these values of the type; a key that shows one already stays. */
export function withSet(
  entries: readonly EtcdEntry[],
  set: RecordSet,
  keySpace: KeySpace,
): readonly EtcdEntry[] {
  const old = toSets(set.name, entries).find(({ type }) => type === set.type);
  const gone = (old?.values ?? []).filter((value) => !set.values.includes(value));
  const kept = withoutValues(entries, { ...set, values: gone }).map((entry) =>
    shownBy(set.name, entry.fields).some((one) => one.type === set.type) &&
    ttlOf(entry.fields) !== set.ttlSeconds
      ? { ...entry, fields: { ...entry.fields, ttl: set.ttlSeconds } }
      : entry,
  );
  const values = set.values.filter((value) => !old?.values.includes(value));
  const made = values.map((value) => newEntry(set, value, keySpace));
  return [...kept, ...made.map((entry) => freeEntry(entry, kept))];
}

/** Somebody else may have chosen the same key for something else. */
function freeEntry(entry: EtcdEntry, kept: readonly EtcdEntry[]): EtcdEntry {
  const isTaken = kept.some(({ key }) => key === entry.key);
  return isTaken ? freeEntry({ ...entry, key: `${entry.key}0` }, kept) : entry;
}

/**
 * `group` keeps names below out of the answer (service.go: `Group`). PTR is looked for at the name
 * itself, other types one label below.
 */
function newEntry(
  { name, type, ttlSeconds }: RecordSet,
  value: string,
  keySpace: KeySpace,
): EtcdEntry {
  const folders = foldersOf(keySpace.prefix, name, keySpace.apex);
  const isAddress = type === "A" || type === "AAAA";
  const folder = (isAddress ? folders.at(-1) : folders[0]) ?? "";
  const content = type === "TXT" ? { text: textField(value) } : { host: value };
  const fields = { ...content, ttl: ttlSeconds, group: name };
  if (type === "PTR") return { key: folder, revision: "", fields };
  const key = `${folder}/${leafOf(type, value)}`;
  return { key, revision: "", fields: { ...fields, targetstrip: 1 } };
}

// Keys of the plug-in: labels from the root on below a prefix, and one label more for each value
// (plugin/etcd/msg/path.go).

/** Where addresses of the apex are, below the zone (plugin/backend_lookup.go: `checkForApex`). */
const APEX_FOLDER = "dns/apex";
/** Labels of a key's value. */
const LEAF_DIGITS = 8;

/** `/skydns` and `www.example.org` → `/skydns/org/example/www`. */
export function folderOf(prefix: string, name: DnsName): string {
  return [prefix, ...[...labelsOf(name)].reverse()].join("/");
}

/** `org/example/www` → `www.example.org`, without the first `strip` labels of the name. */
function nameOf(prefix: string, key: string, strip: number): DnsName | null {
  const labels = key.slice(prefix.length + 1).split("/");
  const kept = labels.slice(0, labels.length - strip).reverse();
  return kept.length === 0 || kept.includes("") ? null : trustedDnsName(kept.join("."));
}

/** One key for each value, the same for everybody, so that two creators meet. */
function leafOf(type: string, value: string): string {
  return fingerprint64(`${type} ${value}`).slice(0, LEAF_DIGITS);
}

/** The folders whose keys are a name's records; only those of an apex are two. */
export function foldersOf(prefix: string, name: DnsName, apex: DnsName): readonly string[] {
  const folder = folderOf(prefix, name);
  return name === apex ? [folder, `${folder}/${APEX_FOLDER}`] : [folder];
}

/** The name whose records a key's name shows: those of `apex.dns` are the apex's. */
function shownName(name: DnsName, apex: DnsName): DnsName {
  return name === `apex.dns.${apex}` ? apex : name;
}

/** True for names that CoreDNS keeps for itself, below the zone. */
function isReserved(name: DnsName, apex: DnsName): boolean {
  return isAtOrBelow(name, trustedDnsName(`dns.${apex}`));
}

/** The key behind all keys that begin with this one. */
export function endOf(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

// What CoreDNS cannot answer from etcd, found before planning. Pure.

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone): readonly Problem[] {
  const { name, type, values } = set;
  const isWild = name.split(".").some((label) => label === "*" || label === "any");
  const isPtr = type === "PTR";
  const texts = type === "TXT" ? values : [];
  const pieces = texts.map((value) => cutText(value, TEXT_CHARACTERS_MAX) ?? []);
  // CoreDNS cuts a text every 255 characters, escapes or not.
  const isTorn = pieces.some((one) =>
    one.slice(0, -1).some(({ length }) => length !== TEXT_CHARACTERS_MAX),
  );
  return toProblems(
    set,
    plainTroubles(set, zone, { vendor: "CoreDNS", valuesMax: VALUES_MAX, ...CAPABILITIES }),
    [isWild, "InvalidName", "CoreDNS has no wildcards in etcd; write each name"],
    [/[/\\]/.test(name), "InvalidName", "a name with a slash or an escape is no key of CoreDNS"],
    [
      isReserved(name, zone.name),
      "InvalidName",
      `CoreDNS keeps dns.${zone.name} for itself; use another name`,
    ],
    // The plug-in infers the type of a host from its form and its name.
    [
      type === "CNAME" && isReverse(name),
      "InvalidValue",
      "CoreDNS answers hosts below arpa as PTR; write a PTR record",
    ],
    [
      isPtr && !isReverse(name),
      "InvalidValue",
      "CoreDNS answers PTR below in-addr.arpa and ip6.arpa only",
    ],
    [isPtr && values.length > 1, "InvalidValue", "a PTR has exactly one target here"],
    [
      pieces.some((one) => one.join("") === ""),
      "InvalidValue",
      "an empty text is no record of CoreDNS",
    ],
    [isTorn, "InvalidValue", "CoreDNS would cut an escape of this text in two; use a shorter one"],
  );
}
