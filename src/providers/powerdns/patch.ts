/**
 * Change groups as one PATCH: each record set as it is to be afterwards. Values that were not read
 * stay; a set that exists is not created, and one that is not as it was read is not replaced. Pure.
 */
import type { DnsName } from "../../model/dns-name.ts";
import type { Fields } from "../../model/object-fields.ts";
import { isSameKey, type RecordSet, type RecordSetKey } from "../../model/record-set.ts";
import type { Change, ChangeGroup } from "../../plan/changes.ts";
import { deleteSet, replaceSet } from "./convert.ts";

/** What is known of a name. */
export type SetsAt = (name: DnsName) => readonly RecordSet[];

/** A PATCH, and what names are to have after it. */
export interface Patch {
  /** Deletions first: a CNAME takes the place of addresses in one call. */
  readonly rrsets: readonly Fields[];
  readonly after: ReadonlyMap<DnsName, readonly RecordSet[]>;
  /** Indexes of groups whose record sets are not as they were read. */
  readonly changed: ReadonlySet<number>;
}

/** All groups in one PATCH. */
export function toPatch(groups: readonly ChangeGroup[], setsAt: SetsAt): Patch {
  const after = new Map<DnsName, readonly RecordSet[]>();
  const writtenKeys: RecordSetKey[] = [];
  const changed = new Set<number>();
  for (const [index, { changes }] of groups.entries())
    for (const change of changes) {
      const key = keyOf(change);
      const present = after.get(key.name) ?? setsAt(key.name);
      const before = present.find((set) => isSameKey(set, key));
      if (!isAsRead(change, before)) changed.add(index);
      const next = setAfter(change, before);
      const others = present.filter((set) => set !== before);
      after.set(key.name, next === null ? others : [...others, next]);
      if (!writtenKeys.some((one) => isSameKey(one, key))) writtenKeys.push(key);
    }
  const rrsets = writtenKeys.map((key) => {
    const set = after.get(key.name)?.find((one) => isSameKey(one, key));
    return set === undefined ? deleteSet(key) : replaceSet(set);
  });
  const isDeletion = ({ changetype }: Fields): boolean => changetype === "DELETE";
  return {
    rrsets: [...rrsets.filter(isDeletion), ...rrsets.filter((one) => !isDeletion(one))],
    after,
    changed,
  };
}

/** The record set that a change writes. */
export function keyOf(change: Change): RecordSetKey {
  return change.op === "remove" ? change.previous : change.next;
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

/** Null = nothing is left. */
function setAfter(change: Change, before: RecordSet | undefined): RecordSet | null {
  if (change.op !== "remove") return change.next;
  const values = (before?.values ?? []).filter((value) => !change.previous.values.includes(value));
  return before === undefined || values.length === 0 ? null : { ...before, values };
}
