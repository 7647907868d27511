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
  const names = new Set<DnsName>();
  for (const change of groups.flatMap(({ changes }) => changes)) {
    if (change.op === "create") continue;
    const { name, values } = change.previous;
    const found = recordsOf(change.previous, recordsAt);
    if (values.some((value) => !found.has(value))) names.add(name);
  }
  return [...names];
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
        missing.set(index, goneOutcome(group));
      const { name } = change.op === "remove" ? change.previous : change.next;
      for (const operation of operationsOf(change, found, hasTags))
        operations.push({ ...operation, name, group });
    }
  return { operations, missing };
}

function goneOutcome({ name }: ChangeGroup): Outcome {
  const message = "a record that is to be replaced does not exist any more";
  return { name, status: "precondition-failed", message };
}

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
    ...before.flatMap((record) =>
      staying.has(record.value) ? patch(next, record) : deletion(record),
    ),
    ...next.values
      .filter((value) => !previous.includes(value))
      .map((value): Planned => ({ list: "posts", body: fromRecord(next, value, notes) })),
  ];
}

function deletion({ id }: KnownRecord): Planned {
  return { list: "deletes", body: { id } };
}

/** Name and type stay as they are; the vendor's description of `patches` requires them. */
function patch(next: RecordSet, record: KnownRecord): readonly Planned[] {
  if (hasAttributesOf(next, record)) return [];
  const { name, type } = next;
  return [{ list: "patches", body: { id: record.id, name, type, ...attributesOf(next) } }];
}

/** The body of the request; a list without operations is left out. */
export function batchBody(operations: readonly Operation[]): Fields {
  const lists = LISTS.map((list) => [
    list,
    operations.filter((one) => one.list === list).map(({ body }) => body),
  ]);
  return Object.fromEntries(lists.filter(([, bodies]) => bodies?.length !== 0));
}
