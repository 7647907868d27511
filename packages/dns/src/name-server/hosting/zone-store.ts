/**
 * How zones lie in the Store: one key a zone, one a name, one a delta of the journal. A change of
 * any number of names is one write. Keys are separated by spaces, which no name holds unescaped:
 *
 *     dns zone example.org               {"format":1}
 *     dns node example.org www           {"A":[300,["192.0.2.1"]]}
 *     dns journal example.org 000000012  {"from":…,"to":…,"removed":[…],"added":[…]}
 *
 * Names of nodes are relative to the apex; `@` is the apex itself.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Store, StoreOperation } from "@zonekeeper/base/ports/store";
import { type DnsName, trustedDnsName } from "../../names/dns-name.ts";
import { serialOf } from "../../rdata/soa.ts";
import { Journal, type JournalLimits } from "../zone/journal.ts";
import { type ZoneDelta, zoneFrom, zoneTrouble } from "../zone/zone-edit.ts";
import type { ZoneRecord, ZoneRecordSet, ZoneVersion } from "../zone/zone-version.ts";

/** The served data of a zone. */
export interface ZoneState {
  readonly version: ZoneVersion;
  readonly journal: Journal;
}

const ZONE_PREFIX = "dns zone ";
const FORMAT = '{"format":1}';
const NUMBER_DIGITS = 12;

/** The apexes of all zones in the store, in key order. */
export function storedZones(store: Store): readonly DnsName[] {
  return [...store.range(ZONE_PREFIX)].map(([key]) =>
    trustedDnsName(key.slice(ZONE_PREFIX.length)),
  );
}

/** True when the store has the zone. */
export function hasStoredZone(store: Store, apex: DnsName): boolean {
  return store.get(ZONE_PREFIX + apex) !== null;
}

/** The writes that put a whole new zone into the store. */
export function newZoneWrites(version: ZoneVersion): readonly StoreOperation[] {
  const names = [...version.nodes.entries()].map(([name]) => name);
  return [{ put: ZONE_PREFIX + version.apex, value: FORMAT }, ...nodeWrites(version, names)];
}

/**
 * The writes that lead from one state to a later one; `deltas` are the changes between, oldest
 * first.
 */
export function changeWrites(
  before: ZoneState,
  after: ZoneState,
  deltas: readonly ZoneDelta[],
): readonly StoreOperation[] {
  const apex = after.version.apex;
  const records = deltas.flatMap((delta) => [...delta.removed, ...delta.added]);
  const names = new Set([apex, ...records.map((record) => record.name)]);
  return [
    ...nodeWrites(after.version, [...names]),
    ...journalWrites(apex, before.journal, after.journal),
  ];
}

/** Reads a zone. Throws OperationError `StoreCorrupt` when what is stored is no zone. */
export function loadZone(store: Store, apex: DnsName, limits: JournalLimits): ZoneState {
  try {
    const sets = [...store.range(nodePrefix(apex))].flatMap(([key, value]) =>
      setsIn(apex, key, value),
    );
    const trouble = zoneTrouble(apex, sets);
    if (trouble !== null) throw new TypeError(trouble);
    const version = zoneFrom(apex, sets);
    return { version, journal: loadJournal(store, version, limits) };
  } catch (cause) {
    const message = `the stored zone ${apex} cannot be read: ${messageOf(cause)}; restore the data folder or remove it`;
    throw new OperationError({ code: "StoreCorrupt", message, retry: "never", cause });
  }
}

/** Ends with a space, so that no zone's prefix begins another's. */
function nodePrefix(apex: DnsName): string {
  return `dns node ${apex} `;
}

/**
 * The whole of each name in one value: a name is read and written as one. Empty non-terminals are
 * not stored.
 */
function nodeWrites(version: ZoneVersion, names: readonly DnsName[]): readonly StoreOperation[] {
  return names.map((name) => {
    const sets = version.node(name)?.sets ?? [];
    const apex = version.apex;
    const suffix = apex === "" ? 0 : apex.length + 1;
    const key = nodePrefix(apex) + (name === apex ? "@" : name.slice(0, name.length - suffix));
    if (sets.length === 0) return { remove: key };
    const pairs = sets.map(({ type, ttlSeconds, values }) => [type, [ttlSeconds, values]] as const);
    return { put: key, value: JSON.stringify(Object.fromEntries(pairs)) };
  });
}

/** The record sets of one stored name; throws TypeError when the value has another form. */
function setsIn(apex: DnsName, key: string, value: string): readonly ZoneRecordSet[] {
  const relative = key.slice(nodePrefix(apex).length);
  const below = apex === "" ? relative : `${relative}.${apex}`;
  const name = relative === "@" ? apex : trustedDnsName(below);
  return Object.entries(asObject(JSON.parse(value))).map(([type, pair]) => {
    const [ttlSeconds, values] = asArray(pair);
    return { name, type, ttlSeconds: asNumber(ttlSeconds), values: asArray(values).map(asText) };
  });
}

/** Padded, so that key order is the order of time. */
function journalKey(apex: DnsName, number: number): string {
  return `dns journal ${apex} ${String(number).padStart(NUMBER_DIGITS, "0")}`;
}

/** New deltas are put, those that fell out of the bounds removed. */
function journalWrites(apex: DnsName, before: Journal, after: Journal): readonly StoreOperation[] {
  const writes: StoreOperation[] = [];
  const known = before.firstNumber + before.deltas.length;
  const gone = Math.min(after.firstNumber, known);
  for (let number = before.firstNumber; number < gone; number++)
    writes.push({ remove: journalKey(apex, number) });
  for (const [index, delta] of after.deltas.entries()) {
    const number = after.firstNumber + index;
    if (number >= known) writes.push({ put: journalKey(apex, number), value: deltaText(delta) });
  }
  return writes;
}

/** The deltas that lead, without a gap, to the version; other deltas are ignored. */
function loadJournal(store: Store, version: ZoneVersion, limits: JournalLimits): Journal {
  const stored = [...store.range(`dns journal ${version.apex} `)];
  const deltas: ZoneDelta[] = [];
  let expected: number | null = version.soa.serial;
  let first = Number(stored.at(-1)?.[0].slice(-NUMBER_DIGITS) ?? -1) + 1;
  for (const [key, value] of stored.toReversed()) {
    const number = Number(key.slice(-NUMBER_DIGITS));
    const delta = deltaFrom(version.apex, value);
    if (number !== first - 1 || serialOf(delta.toSoa) !== expected) break;
    deltas.push(delta);
    expected = serialOf(delta.fromSoa);
    first = number;
  }
  return new Journal(limits, first, deltas.reverse());
}

/** Records as `[name, type, ttl, data]`. */
function deltaText({ fromSoa, toSoa, removed, added }: ZoneDelta): string {
  const row = (record: ZoneRecord) => [record.name, record.type, record.ttlSeconds, record.data];
  return JSON.stringify({
    from: row(fromSoa),
    to: row(toSoa),
    removed: removed.map(row),
    added: added.map(row),
  });
}

function deltaFrom(apex: DnsName, text: string): ZoneDelta {
  const { from, to, removed, added } = asObject(JSON.parse(text));
  const soa = (row: unknown): ZoneRecord => ({ ...recordFrom(row), name: apex });
  return {
    fromSoa: soa(from),
    toSoa: soa(to),
    removed: asArray(removed).map(recordFrom),
    added: asArray(added).map(recordFrom),
  };
}

function recordFrom(row: unknown): ZoneRecord {
  const [name, type, ttlSeconds, data] = asArray(row);
  return {
    name: trustedDnsName(asText(name)),
    type: asText(type),
    class: "IN",
    ttlSeconds: asNumber(ttlSeconds),
    data: asText(data),
  };
}

// These functions read JSON that this file wrote. Another form means that the store is damaged:
// they throw.

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError("an object was expected");
  return Object.fromEntries(Object.entries(value));
}

function asArray(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError("a list was expected");
  return value;
}

function asText(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("a text was expected");
  return value;
}

function asNumber(value: unknown): number {
  if (typeof value !== "number") throw new TypeError("a number was expected");
  return value;
}
