/**
 * Change groups to the operations of one transaction: deletions, then changes, then creations. What
 * leaves and what comes in its place is one change of an object, which keeps what people wrote
 * beside it. Pure.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Fields } from "@zonekeeper/kube/objects/object-fields";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Change, ChangeGroup, Outcome } from "../../plan/changes.ts";
import { changedOutcome } from "../shared/failed-calls.ts";
import { type KnownRecord, toObject } from "./convert.ts";
import { OBJECT_OF } from "./objects.ts";

/** In the order in which the Grid carries them out. */
const METHODS = ["DELETE", "PUT", "POST"] as const;

/** One operation and what it does to what is known. */
export interface Operation {
  readonly method: (typeof METHODS)[number];
  /** A reference, or the kind of object to create. */
  readonly object: string;
  /** Null = a deletion. */
  readonly data: Fields | null;
  readonly name: DnsName;
  readonly before: KnownRecord | null;
  /** Its `ref` is that of the answer. */
  readonly after: Omit<KnownRecord, "ref"> | null;
}

/** A transaction; `troubles`, by index = why groups cannot be sent. */
export interface Transaction {
  readonly operations: readonly Operation[];
  readonly troubles: ReadonlyMap<number, Outcome>;
}

/** What is known of a name. */
export type RecordsAt = (name: DnsName) => readonly KnownRecord[];

/** Where new objects go, and what they get beside their values. */
export interface Creation {
  readonly zone: Zone;
  readonly extraAttributes: Fields | null;
}

/** Names with values that are to go and whose references are not known. */
export function unknownNames(
  groups: readonly ChangeGroup[],
  recordsAt: RecordsAt,
): readonly DnsName[] {
  const gone = groups
    .flatMap(({ changes }) => changes)
    .flatMap((change) => (change.op === "create" ? [] : [change.previous]));
  const unknown = gone.filter((set) => missingOf(set, recordsAt).length > 0);
  return [...new Set(unknown.map(({ name }) => name))];
}

/** All groups in one transaction. */
export function toTransaction(
  groups: readonly ChangeGroup[],
  recordsAt: RecordsAt,
  creation: Creation,
): Transaction {
  const troubles = groups.map((group) => troubleOf(group, recordsAt));
  const changes = groups.flatMap((group) => group.changes);
  const operations = changes.flatMap((change) => operationsOf(change, recordsAt, creation));
  return {
    operations: METHODS.flatMap((method) => operations.filter((one) => one.method === method)),
    troubles: new Map(
      [...troubles.entries()].flatMap(([index, one]) => (one === null ? [] : [[index, one]])),
    ),
  };
}

function recordsOf({ name, type }: RecordSet, recordsAt: RecordsAt): readonly KnownRecord[] {
  return recordsAt(name).filter((record) => record.type === type);
}

function missingOf(set: RecordSet, recordsAt: RecordsAt): readonly string[] {
  const values = new Set(recordsOf(set, recordsAt).map(({ value }) => value));
  return set.values.filter((value) => !values.has(value));
}

/** Null = the group can be sent. */
function troubleOf({ name, changes }: ChangeGroup, recordsAt: RecordsAt): Outcome | null {
  for (const change of changes) {
    if (change.op === "replace" && missingOf(change.previous, recordsAt).length > 0)
      return changedOutcome(name, "a record that is to be replaced does not exist any more");
    const message = untouchable(change, recordsAt);
    if (message !== null) return { name, status: "rejected", code: "InfobloxReadOnly", message };
  }
  return null;
}

/** What stands in the way and is not this program's to change; null = nothing. */
function untouchable(change: Change, recordsAt: RecordsAt): string | null {
  const staying = change.op === "remove" ? [] : change.next.values;
  const going = change.op === "create" ? [] : change.previous.values;
  const set = change.op === "remove" ? change.previous : change.next;
  const known = recordsOf(set, recordsAt);
  const readOnly = known.find(({ state, value }) => state === "readOnly" && going.includes(value));
  if (readOnly !== undefined)
    return `the value ${readOnly.value} belongs to an object that is not written, such as a host record; remove that object, or use another name`;
  const disabled = known.find(
    ({ state, value }) => state === "disabled" && staying.includes(value),
  );
  if (disabled === undefined) return null;
  return `a disabled record with the value ${disabled.value} is there; enable it, or remove it`;
}

function operationsOf(
  change: Change,
  recordsAt: RecordsAt,
  creation: Creation,
): readonly Operation[] {
  const previous = change.op === "create" ? [] : change.previous.values;
  const next = change.op === "remove" ? null : change.next;
  const values = next?.values ?? [];
  const set = next ?? (change.op === "create" ? change.next : change.previous);
  const standing = recordsOf(set, recordsAt).filter(
    ({ state, value }) => state === "plain" && previous.includes(value),
  );
  const going = standing.filter(({ value }) => !values.includes(value));
  const coming = values.filter((value) => !previous.includes(value));
  const isChangeable = OBJECT_OF.get(set.type)?.isChangeable ?? false;
  const pairs = isChangeable ? Math.min(going.length, coming.length) : 0;
  return [
    ...standing
      .filter(({ value, ttlSeconds }) => values.includes(value) && ttlSeconds !== set.ttlSeconds)
      .map((before) => changed(set, before, before.value)),
    ...going.slice(0, pairs).map((before, at) => changed(set, before, coming[at] ?? "")),
    ...going.slice(pairs).map((before): Operation => {
      const { name } = set;
      return { method: "DELETE", object: before.ref, data: null, name, before, after: null };
    }),
    ...coming.slice(pairs).map((value) => created(set, value, creation)),
  ];
}

function changed(set: RecordSet, before: KnownRecord, value: string): Operation {
  const isSame = before.value === value;
  const data = isSame ? { ttl: set.ttlSeconds, use_ttl: true } : toObject(set, value);
  const after = afterOf(set, value);
  return { method: "PUT", object: before.ref, data, name: set.name, before, after };
}

function created(set: RecordSet, value: string, { zone, extraAttributes }: Creation): Operation {
  return {
    method: "POST",
    object: OBJECT_OF.get(set.type)?.object ?? "",
    data: {
      name: set.name,
      view: zone.view,
      ...toObject(set, value),
      ...(extraAttributes === null ? {} : { extattrs: extraAttributes }),
    },
    name: set.name,
    before: null,
    after: afterOf(set, value),
  };
}

function afterOf({ type, ttlSeconds }: RecordSet, value: string): Operation["after"] {
  return { type, value, ttlSeconds, state: "plain" };
}
