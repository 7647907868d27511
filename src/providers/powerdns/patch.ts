/**
 * Change groups as one PATCH: each record set as it is to be afterwards. Values that were not read
 * stay; a set that exists is not created, one that is not as it was read is not replaced, and one
 * with disabled records is not written at all. Pure.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Fields } from "@zonekeeper/kube/objects/object-fields";
import { isSameKey, type RecordSet, type RecordSetKey } from "../../model/record-set.ts";
import type { Change, ChangeGroup, Outcome } from "../../plan/changes.ts";
import { changedOutcome } from "../shared/failed-calls.ts";
import { writtenSet } from "../shared/vendor-session.ts";
import { deleteSet, type KnownSet, replaceSet } from "./convert.ts";

/** What is known of a name. */
export type SetsAt = (name: DnsName) => readonly KnownSet[];

/** A PATCH, and what names are to have after it. */
export interface Patch {
  /** Deletions first: a CNAME takes the place of addresses in one call. */
  readonly rrsets: readonly Fields[];
  readonly after: ReadonlyMap<DnsName, readonly KnownSet[]>;
  /** Why groups cannot be sent, by their index. */
  readonly refused: ReadonlyMap<number, Outcome>;
}

/** All groups in one PATCH. */
export function toPatch(groups: readonly ChangeGroup[], setsAt: SetsAt): Patch {
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
  const rrsets = writtenKeys.map((key) => {
    const known = after.get(key.name)?.find(({ set }) => isSameKey(set, key));
    return known === undefined ? deleteSet(key) : replaceSet(known.set);
  });
  const isDeletion = ({ changetype }: Fields): boolean => changetype === "DELETE";
  return {
    rrsets: [...rrsets.filter(isDeletion), ...rrsets.filter((one) => !isDeletion(one))],
    after,
    refused,
  };
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
