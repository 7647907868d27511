/**
 * Change groups to one change of the API. Members of a routing policy are one record set there: it
 * is deleted as it was read and added with what is to be, so that the API refuses what somebody
 * else changed meanwhile. Pure.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { hasSameData, type RecordSet } from "../../model/record-set.ts";
import type { Change, ChangeGroup } from "../../plan/changes.ts";
import { fromRecordSets, toRecordSets } from "./convert.ts";

/** What one call deletes and adds; the order is that of its elements. */
export interface SentChange {
  readonly deletions: readonly Fields[];
  readonly additions: readonly Fields[];
}

/** What is known of a record set in the form that it was read in; null = nothing. */
export type FormOf = (name: DnsName, type: string) => Fields | null;

/** One name and type; keys are set identifiers, null for the plain record set. */
interface SetWrites {
  readonly name: DnsName;
  readonly type: string;
  readonly previous: Map<string | null, RecordSet>;
  readonly next: Map<string | null, RecordSet>;
}

/**
 * All groups in one change. A record set that has to be as it was read, and is not written, is
 * deleted and added: that fails when it is another. No record set is deleted twice.
 */
export function toChange(groups: readonly ChangeGroup[], formOf: FormOf): SentChange {
  const all = writesOf(groups).map((writes) => {
    const form = formOf(writes.name, writes.type);
    return { deleted: deletionOf(writes, form), added: additionOf(writes, form) };
  });
  return {
    deletions: all.map(({ deleted }) => deleted).filter((one) => one !== null),
    additions: all.map(({ added }) => added).filter((one) => one !== null),
  };
}

function writesOf(groups: readonly ChangeGroup[]): readonly SetWrites[] {
  const all = new Map<string, SetWrites>();
  const at = ({ name, type }: RecordSet): SetWrites => {
    const key = `${name} ${type}`;
    const found = all.get(key) ?? { name, type, previous: new Map(), next: new Map() };
    all.set(key, found);
    return found;
  };
  for (const change of groups.flatMap(({ changes }) => changes)) {
    if (change.op !== "create")
      at(change.previous).previous.set(change.previous.setIdentifier, change.previous);
    if (change.op !== "remove") at(change.next).next.set(change.next.setIdentifier, change.next);
  }
  for (const one of groups.flatMap(({ preconditions }) => preconditions)) {
    if (one.is !== "exact") continue;
    const { previous, next } = at(one.set);
    const key = one.set.setIdentifier;
    if (previous.has(key) || next.has(key)) continue;
    previous.set(key, one.set);
    next.set(key, one.set);
  }
  return [...all.values()];
}

/** As it was read, where that has the same data; else as it would be written. */
function deletionOf({ previous }: SetWrites, form: Fields | null): Fields | null {
  if (form !== null && hasPolicy(form)) return form;
  const members = [...previous.values()];
  const [first] = members;
  if (first === undefined) return null;
  const [known] = form === null ? [] : toRecordSets(form);
  const isSame = known?.ttlSeconds === first.ttlSeconds && hasSameData(known, first);
  return isSame ? form : fromRecordSets(members);
}

function additionOf(writes: SetWrites, form: Fields | null): Fields | null {
  const after = membersAfter(writes, form);
  const present = fieldsOf(form?.["routingPolicy"]);
  const written = new Set([...writes.next.keys()].flatMap((key) => key ?? []));
  return fromRecordSets(after, { ttlSeconds: ttlAfter(writes, form, after), present, written });
}

/** Members that nobody changes come first, in their order. */
function membersAfter({ previous, next }: SetWrites, form: Fields | null): readonly RecordSet[] {
  const before = form === null ? [] : toRecordSets(form);
  const isKept = ({ setIdentifier: key }: RecordSet): boolean =>
    !previous.has(key) && !next.has(key);
  return [...before.filter(isKept), ...next.values()];
}

/** A TTL that is to change counts; else that of members that stay, which is one for all. */
function ttlAfter(
  { previous, next }: SetWrites,
  form: Fields | null,
  after: readonly RecordSet[],
): number {
  const changed = [...next].find(([key, set]) => {
    const ttlSeconds = previous.get(key)?.ttlSeconds;
    return ttlSeconds !== undefined && ttlSeconds !== set.ttlSeconds;
  });
  const [standing] = form === null ? [] : toRecordSets(form);
  return (
    (changed?.[1] ?? (next.size < after.length ? standing : undefined) ?? after[0])?.ttlSeconds ?? 0
  );
}

/**
 * Whether the zone is known to differ from what a group was planned on: the API would not refuse
 * it, because the whole record set is deleted as it is.
 */
export function isOutdated(group: ChangeGroup, formOf: FormOf): boolean {
  if (group.changes.some((change) => isOtherMember(change, formOf))) return true;
  return writesOf([group]).some((writes) => {
    const after = membersAfter(writes, formOf(writes.name, writes.type));
    return new Set(after.map(({ routingPolicy }) => routingPolicy?.type ?? null)).size > 1;
  });
}

function isOtherMember(change: Change, formOf: FormOf): boolean {
  const set = change.op === "create" ? change.next : change.previous;
  const form = set.setIdentifier === null ? null : formOf(set.name, set.type);
  if (form === null) return false;
  const found = toRecordSets(form).find((one) => one.setIdentifier === set.setIdentifier);
  if (change.op === "create") return found !== undefined;
  return found === undefined || !hasSameData(found, set);
}

/** True for a record set with members. */
function hasPolicy(form: Fields): boolean {
  return Object.keys(fieldsOf(form["routingPolicy"])).length > 0;
}

/**
 * Whether a record set is kept as it was read, for a deletion names the data as they are: one with
 * members, or one that this program would write otherwise, with capitals, blanks or escapes.
 */
export function isForm(form: Fields): boolean {
  if (hasPolicy(form)) return true;
  const [set] = toRecordSets(form);
  return set !== undefined && dataOf(form) !== dataOf(fromRecordSets([set]));
}

function dataOf(form: Fields | null): string {
  const { name, rrdatas } = fieldsOf(form);
  const texts = Array.isArray(rrdatas) ? rrdatas.map(String).sort() : [];
  return JSON.stringify([name, texts]);
}
