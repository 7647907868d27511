/**
 * Rows of the ConfigMap registry, and intents, as JSON (ADR 0013: `dnsname`, `owner`, `target` and
 * `type` are external-dns's fields; the others are ours). Text only; row-rights.ts knows which
 * rights they give.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { groupedBy } from "@zonekeeper/base/grouped-by";
import { jsonIn } from "@zonekeeper/base/json-text";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { fieldsOf, numberOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import { compareKeys, type RecordSet, type RecordSetKey } from "../../model/record-set.ts";
import type { Marker, OwnedRecordSet } from "../../plan/changes.ts";
import { dataHash } from "../data-hash.ts";

/** The owner and the object of a key, as a marker would name them. */
export interface Claim {
  readonly owner: string;
  /** `kind/namespace/name`; null = it is not known. */
  readonly resource: string | null;
  readonly cluster: string | null;
}

/** One record set of the zone, and its owner. */
export interface Row extends RecordSetKey {
  /** Null = no known owner. */
  readonly claim: Claim | null;
  /**
   * Without a claim: the owner id that a marker of another format in the zone names; for people, it
   * gives no right. Absent = none does.
   */
  readonly otherOwner?: string;
  /** Seconds. */
  readonly ttlSeconds: number;
  /** For people; empty when they are too long to be kept. */
  readonly targets: readonly string[];
  /** Hash (`dataHash`) of the data that the claim is for; null without a claim. */
  readonly hash: string | null;
}

/** What a call in flight may make of a key; it gives rights over exactly that data (Z-14). */
export interface Intent extends RecordSetKey {
  readonly claim: Claim;
  /** Hashes of the data that the call may make, the latest last; empty = it removes the record. */
  readonly next: readonly string[];
}

/** Characters of targets that a row keeps; a longer set is known by its hash alone. */
const TARGET_CHARS_MAX = 4_000;

/** The row of a record set; `claim` null = no known owner. */
export function rowOf(set: RecordSet, claim: Claim | null, otherOwner?: string): Row {
  const { name, type, setIdentifier, ttlSeconds, values } = set;
  const chars = values.reduce((sum, value) => sum + value.length, 0);
  const targets = chars > TARGET_CHARS_MAX ? [] : values;
  const hash = claim === null ? null : dataHash(set);
  const other = claim === null && otherOwner !== undefined ? { otherOwner } : {};
  return { name, type, setIdentifier, claim, ...other, ttlSeconds, targets, hash };
}

/** The claim as a marker, for the planner; it has no record in the zone. */
export function markerOf({ owner, resource, cluster }: Claim): Marker {
  const labels = {
    owner,
    ...(resource === null ? {} : { resource }),
    ...(cluster === null ? {} : { cluster }),
  };
  return { owner, resource, cluster, labels, record: null };
}

/** Rows as JSON, one a line, sorted by key: equal rows give equal text. */
export function formatRows(rows: readonly Row[]): string {
  return lines([...rows].sort(compareKeys).map(rowFields));
}

/** Intents as JSON, likewise. */
export function formatIntents(intents: readonly Intent[]): string {
  return lines([...intents].sort(compareKeys).map(intentFields));
}

/** All rows, or what is wrong with the first bad one: a registry is never read in part. */
export function parseRows(text: string): Result<readonly Row[]> {
  return parseList(text, (fields, key) => {
    const owner = fields["owner"];
    const ttlSeconds = numberOf(fields["ttl"]) ?? 0;
    const targets = textsOf(fields["targets"]);
    const hash = textOf(fields["hash"]);
    if (typeof owner !== "string" || targets === null) return null;
    if (owner !== "")
      return hash === null
        ? null
        : { ...key, claim: claimIn(fields, owner), ttlSeconds, targets, hash };
    const otherOwner = textOf(fields["otherOwner"]);
    const other = otherOwner === null ? {} : { otherOwner };
    return { ...key, claim: null, ...other, ttlSeconds, targets, hash: null };
  });
}

/** Every intent, or what is wrong with the first bad one. */
export function parseIntents(text: string): Result<readonly Intent[]> {
  return parseList(text, (fields, key) => {
    const owner = textOf(fields["owner"]);
    const next = textsOf(fields["next"]);
    return owner === null || next === null ? null : { ...key, claim: claimIn(fields, owner), next };
  });
}

type Fields = Readonly<Record<string, unknown>>;

function rowFields({ claim, otherOwner, ttlSeconds, targets, hash, ...key }: Row): Fields {
  const [target = ""] = targets;
  return {
    dnsname: key.name,
    owner: claim?.owner ?? "",
    ...(otherOwner === undefined ? {} : { otherOwner }),
    target,
    type: key.type,
    ...identifier(key),
    ttl: ttlSeconds,
    targets,
    ...origin(claim),
    ...(hash === null ? {} : { hash }),
  };
}

function intentFields({ claim, next, ...key }: Intent): Fields {
  const { name: dnsname, type } = key;
  return { dnsname, owner: claim.owner, type, ...identifier(key), ...origin(claim), next };
}

function identifier({ setIdentifier }: RecordSetKey): Fields {
  return setIdentifier === null ? {} : { setIdentifier };
}

function origin(claim: Claim | null): Fields {
  if (claim === null) return {};
  const { resource, cluster } = claim;
  return { ...(resource === null ? {} : { resource }), ...(cluster === null ? {} : { cluster }) };
}

function claimIn(fields: Fields, owner: string): Claim {
  return { owner, resource: textOf(fields["resource"]), cluster: textOf(fields["cluster"]) };
}

function lines(all: readonly Fields[]): string {
  return `[${all.map((fields) => `\n${JSON.stringify(fields)}`).join(",")}\n]`;
}

function parseList<T>(
  text: string,
  read: (fields: Fields, key: RecordSetKey) => T | null,
): Result<readonly T[]> {
  const list = jsonIn(text);
  if (!Array.isArray(list)) return fail("it is not a list in JSON");
  const items: T[] = [];
  for (const [index, fields] of list.entries()) {
    const own = fieldsOf(fields);
    const [name, type] = [textOf(own["dnsname"]), textOf(own["type"])];
    const setIdentifier = textOf(own["setIdentifier"]);
    const item =
      name === null || type === null
        ? null
        : read(own, { name: trustedDnsName(name), type, setIdentifier });
    if (item === null) return fail(`row ${index + 1} cannot be understood`);
    items.push(item);
  }
  return ok(items);
}

/** Rows by name, each name's sorted by type. */
export function byName<T extends RecordSetKey>(items: readonly T[]): Map<DnsName, readonly T[]> {
  const sorted = [...items].sort((a, b) => compareText(a.type, b.type));
  return groupedBy(sorted, ({ name }) => name);
}

/** What is known about a key; null = nothing. */
export interface KeyRecord {
  readonly row: Row | null;
  readonly intent: Intent | null;
}

/**
 * The record set with its owner: that of an intent for this very data, else that of a row for it.
 * Other data under a row with an owner is contested: a row from an old backup must not own data
 * that was given away since.
 */
export function viewOf(set: RecordSet, known: KeyRecord): OwnedRecordSet {
  const { name, type, setIdentifier } = set;
  const claim = claimOver(set, known);
  const stale = claim === null ? (known.row?.claim ?? null) : null;
  const counted = claim ?? stale;
  const marker = counted === null ? null : markerOf(counted);
  return { name, type, setIdentifier, data: set, marker, contested: stale !== null };
}

/** The owner of this very data; null = none is known. */
export function claimOver(set: RecordSet, { row, intent }: KeyRecord): Claim | null {
  if (intent === null && row?.claim == null) return null;
  const hash = dataHash(set);
  if (intent?.next.includes(hash)) return intent.claim;
  return row?.hash === hash ? row.claim : null;
}
