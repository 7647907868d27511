/**
 * Change groups as one batch: values that go are deleted by their ids, values that come are
 * created, and a value that stays is changed in place where its TTL or proxy status is another. An
 * id that is gone is refused, so that a value that was not read is never removed. Pure.
 */
import { groupedBy } from "@zonekeeper/base/grouped-by";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Fields } from "@zonekeeper/kube/objects/object-fields";
import type { RecordSet } from "../../model/record-set.ts";
import type { Change, ChangeGroup, Outcome } from "../../plan/changes.ts";
import { changedOutcome } from "../shared/failed-calls.ts";
import { attributesOf, fromRecord, hasAttributesOf, type KnownRecord } from "./convert.ts";
import type { PlanLimits } from "./limits.ts";

/** The lists of a batch, in the order in which the API carries them out. */
export const LISTS = ["deletes", "patches", "posts"] as const;

/** One operation, and the group that wants it. */
export interface Operation {
  readonly list: (typeof LISTS)[number];
  readonly body: Fields;
  readonly name: DnsName;
  readonly group: ChangeGroup;
}

/** A batch; `missing`, by index = groups that replace a value that is not there. */
export interface RecordBatch {
  readonly operations: readonly Operation[];
  readonly missing: ReadonlyMap<number, Outcome>;
}

/** What is known of a name. */
export type RecordsAt = (name: DnsName) => readonly KnownRecord[];

/** Names whose ids are not all known. */
export function unknownNames(
  groups: readonly ChangeGroup[],
  recordsAt: RecordsAt,
): readonly DnsName[] {
  const gone = groups
    .flatMap(({ changes }) => changes)
    .flatMap((change) => (change.op === "create" ? [] : [change.previous]));
  const unknown = gone.filter((set) => {
    const found = recordsOf(set, recordsAt);
    return set.values.some((value) => !found.has(value));
  });
  return [...new Set(unknown.map(({ name }) => name))];
}

/** All groups in one batch, for a zone of this plan. */
export function toBatch(
  groups: readonly ChangeGroup[],
  recordsAt: RecordsAt,
  { hasTags }: Pick<PlanLimits, "hasTags">,
): RecordBatch {
  const operations: Operation[] = [];
  const missing = new Map<number, Outcome>();
  for (const [index, group] of groups.entries())
    for (const change of group.changes) {
      const found = change.op === "create" ? NO_RECORDS : recordsOf(change.previous, recordsAt);
      if (change.op === "replace" && change.previous.values.some((value) => !found.has(value)))
        missing.set(index, changedOutcome(group.name, GONE));
      const { name } = change.op === "remove" ? change.previous : change.next;
      for (const operation of operationsOf(change, found, hasTags))
        operations.push({ ...operation, name, group });
    }
  return { operations, missing };
}

const GONE = "a record that is to be replaced does not exist any more";

/** `/posts/3/content`, `body.posts[3]`: true where the fourth creation is the group's. */
export function isAboutOperation(
  group: ChangeGroup,
  pointer: string,
  operations: readonly Operation[],
): boolean {
  return [...pointer.matchAll(/\b(deletes|patches|posts)\W+(\d+)\b/g)].some(([, list, index]) => {
    const found = operations.filter((one) => one.list === list)[Number(index)];
    return found?.group === group;
  });
}

type Found = ReadonlyMap<string, readonly KnownRecord[]>;
const NO_RECORDS: Found = new Map();

/** Records of the set by value. */
function recordsOf(set: RecordSet, recordsAt: RecordsAt): Found {
  const records = recordsAt(set.name).filter(({ type }) => type === set.type);
  return groupedBy(records, ({ value }) => value);
}

type Planned = Pick<Operation, "list" | "body">;

function operationsOf(change: Change, found: Found, hasTags: boolean): readonly Planned[] {
  const previous = change.op === "create" ? [] : change.previous.values;
  const before = previous.flatMap((value) => found.get(value) ?? []);
  if (change.op === "remove") return before.map(deletion);
  const { next } = change;
  const staying = new Set(next.values);
  const { tags, ...comment } = before.find((record) => record.notes !== undefined)?.notes ?? {};
  // What the plan has no place for would be refused for good (9300).
  const notes = hasTags && tags !== undefined ? { ...comment, tags } : comment;
  return [
    ...before.flatMap((record) => {
      if (!staying.has(record.value)) return deletion(record);
      if (hasAttributesOf(next, record)) return [];
      // Name and type stay; the vendor's description of `patches` requires them.
      const body = { id: record.id, name: next.name, type: next.type, ...attributesOf(next) };
      return { list: "patches", body } as const;
    }),
    ...next.values
      .filter((value) => !previous.includes(value))
      .map((value): Planned => ({ list: "posts", body: fromRecord(next, value, notes) })),
  ];
}

function deletion({ id }: KnownRecord): Planned {
  return { list: "deletes", body: { id } };
}

/** The body of the request; a list without operations is left out. */
export function batchBody(operations: readonly Operation[]): Fields {
  const lists = LISTS.map((list) => [
    list,
    operations.filter((one) => one.list === list).map(({ body }) => body),
  ]);
  return Object.fromEntries(lists.filter(([, bodies]) => bodies?.length !== 0));
}
