/**
 * Record sets of the API to ours and back, and change groups to one PATCH. Pure; decides nothing.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import { isSameKey, type RecordSet, type RecordSetKey } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Change, ChangeGroup, Outcome } from "../../plan/changes.ts";
import { dottedRdata, readRdata, withDot, withoutDot } from "../shared/dotted-rdata.ts";
import { changedOutcome } from "../shared/failed-calls.ts";
import { countOf } from "../shared/pages.ts";
import { normalizePlain, plainSet } from "../shared/plain-sets.ts";
import { plainTroubles, toProblems } from "../shared/record-troubles.ts";
import { writtenSet } from "../shared/vendor-session.ts";
import { CAPABILITIES } from "./limits.ts";

/** A record set as the server has it. */
export interface KnownSet {
  /** Without its disabled records, which may be all. */
  readonly set: RecordSet;
  /** It has records that no name server answers with; whoever writes the set loses them. */
  readonly hasDisabled: boolean;
}

/** Null = it is no record set, or has no records. */
export function toKnownSet(value: unknown): KnownSet | null {
  const fields = fieldsOf(value);
  const [name, type] = [textOf(fields["name"]), textOf(fields["type"])];
  if (name === null || type === null) return null;
  const records = (listOf(fields["records"]) ?? []).map(fieldsOf);
  if (records.length === 0) return null;
  const enabled = records.filter(({ disabled }) => disabled !== true);
  const values = enabled.map(({ content }) => readRdata(type, textOf(content) ?? ""));
  const ttlSeconds = countOf(fields["ttl"]) ?? 0;
  return {
    set: plainSet({ name: withoutDot(name), type, ttlSeconds, values }),
    hasDisabled: enabled.length < records.length,
  };
}

/** The whole record set as it is to be. */
export function replaceSet(set: RecordSet): Fields {
  const { type, ttlSeconds: ttl } = set;
  const records = set.values.map((value) => ({
    content: dottedRdata(type, value),
    disabled: false,
  }));
  return { name: withDot(set.name), type, ttl, changetype: "REPLACE", records };
}

// Change groups as one PATCH: each record set as it is to be afterwards. Values that were not read
// stay; a set that exists is not created, one that is not as it was read is not replaced, and one
// with disabled records is not written at all.

/** A PATCH, and what names are to have after it. */
interface Patch {
  /** Deletions first: a CNAME takes the place of addresses in one call. */
  readonly rrsets: readonly Fields[];
  readonly after: ReadonlyMap<DnsName, readonly KnownSet[]>;
  /** Why groups cannot be sent, by their index. */
  readonly refused: ReadonlyMap<number, Outcome>;
}

/** All groups in one PATCH. `setsAt`: what is known of a name. */
export function toPatch(
  groups: readonly ChangeGroup[],
  setsAt: (name: DnsName) => readonly KnownSet[],
): Patch {
  const after = new Map<DnsName, readonly KnownSet[]>();
  const writtenKeys: RecordSetKey[] = [];
  const refused = new Map<number, Outcome>();
  for (const [index, { name, changes }] of groups.entries())
    for (const change of changes) {
      const key = writtenSet(change);
      const present = after.get(key.name) ?? setsAt(key.name);
      const known = present.find(({ set }) => isSameKey(set, key));
      const trouble = troubleOf(change, known, name);
      if (trouble !== null) refused.set(index, trouble);
      const values = known?.set.values.filter((one) => !key.values.includes(one)) ?? [];
      const left = known === undefined || values.length === 0 ? null : { ...known.set, values };
      const set = change.op === "remove" ? left : change.next;
      const others = present.filter((one) => one !== known);
      after.set(key.name, set === null ? others : [...others, { set, hasDisabled: false }]);
      if (!writtenKeys.some((one) => isSameKey(one, key))) writtenKeys.push(key);
    }
  const written = writtenKeys.map((key) => {
    const known = after.get(key.name)?.find(({ set }) => isSameKey(set, key));
    return { key, set: known?.set };
  });
  const gone = written
    .filter(({ set }) => set === undefined)
    .map(({ key: { name, type } }) => ({ name: withDot(name), type, changetype: "DELETE" }));
  const come = written.flatMap(({ set }) => (set === undefined ? [] : [replaceSet(set)]));
  return { rrsets: [...gone, ...come], after, refused };
}

/** Null = the change can be sent. */
function troubleOf(change: Change, known: KnownSet | undefined, name: DnsName): Outcome | null {
  if (known?.hasDisabled === true) {
    const { type, name: at } = known.set;
    const message = `the record set ${at} ${type} has disabled records, which a write would lose; enable or delete them in PowerDNS`;
    return { name, status: "rejected", code: "PowerDnsDisabled", message };
  }
  if (isAsRead(change, known?.set)) return null;
  return changedOutcome(name, "a record set is not as it was read");
}

/** A removal takes away those values that were read and still exist. */
function isAsRead(change: Change, before: RecordSet | undefined): boolean {
  if (change.op === "remove") return true;
  if (change.op === "create") return before === undefined;
  const { values } = change.previous;
  return (
    before?.values.length === values.length &&
    before.values.every((value) => values.includes(value))
  );
}

/** The set as the API will show it. */
export function normalizeSet(set: RecordSet): RecordSet {
  return normalizePlain(set, CAPABILITIES.ttl);
}

// What PowerDNS cannot take about a record set, found before planning. Pure.

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone): readonly Problem[] {
  return toProblems(set, plainTroubles(set, zone, { vendor: "PowerDNS", ...CAPABILITIES }));
}
