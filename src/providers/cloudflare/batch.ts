/**
 * Change groups as one batch: values that go are deleted by their ids, values that come are
 * created, and a value that stays is changed in place where its TTL or proxy status is another. An
 * id that is gone is refused, so that a value that was not read is never removed. Pure.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Fields } from "@zonekeeper/kube/objects/object-fields";
import type { RecordSet } from "../../model/record-set.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import { changedOutcome } from "../shared/failed-calls.ts";
import { type RecordsAt, type ValueChange, valueChange } from "../shared/record-session.ts";
import { writtenSet } from "../shared/vendor-session.ts";
import { attributesOf, fromRecord, hasAttributesOf, type KnownRecord } from "./convert.ts";
import type { PlanLimits } from "./limits.ts";

/** The lists of a batch, in the order in which the API carries them out. */
const LISTS = ["deletes", "patches", "posts"] as const;

/** One operation, and the group that wants it. */
export interface Operation {
  readonly list: (typeof LISTS)[number];
  readonly body: Fields;
  readonly name: DnsName;
  readonly group: ChangeGroup;
}

/** A batch; `missing`, by index = groups that replace a value that is not there. */
interface RecordBatch {
  readonly operations: readonly Operation[];
  readonly missing: ReadonlyMap<number, Outcome>;
}

/** All groups in one batch, for a zone of this plan. */
export function toBatch(
  groups: readonly ChangeGroup[],
  recordsAt: RecordsAt<KnownRecord>,
  { hasTags }: Pick<PlanLimits, "hasTags">,
): RecordBatch {
  const operations: Operation[] = [];
  const missing = new Map<number, Outcome>();
  for (const [index, group] of groups.entries())
    for (const change of group.changes) {
      const set = writtenSet(change);
      const values = valueChange(change, recordsAt(set.name));
      if (change.op === "replace" && values.lacksRecords)
        missing.set(index, changedOutcome(group.name, GONE));
      for (const operation of operationsOf(set, values, hasTags))
        operations.push({ ...operation, name: set.name, group });
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

function operationsOf(
  set: RecordSet,
  { before, staying, going, coming }: ValueChange<KnownRecord>,
  hasTags: boolean,
): readonly Pick<Operation, "list" | "body">[] {
  const { name, type } = set;
  const { tags, ...comment } = before.find((record) => record.notes !== undefined)?.notes ?? {};
  // What the plan has no place for would be refused for good (9300).
  const notes = hasTags && tags !== undefined ? { ...comment, tags } : comment;
  const changed = staying.filter((record) => !hasAttributesOf(set, record));
  // Name and type stay; the vendor's description of `patches` requires them.
  const patchOf = ({ id }: KnownRecord): Fields => ({ id, name, type, ...attributesOf(set) });
  return [
    ...going.map(({ id }) => ({ list: "deletes", body: { id } }) as const),
    ...changed.map((record) => ({ list: "patches", body: patchOf(record) }) as const),
    ...coming.map((value) => ({ list: "posts", body: fromRecord(set, value, notes) }) as const),
  ];
}

/** The body of the request; a list without operations is left out. */
export function batchBody(operations: readonly Operation[]): Fields {
  const lists = LISTS.map((list) => [
    list,
    operations.filter((one) => one.list === list).map(({ body }) => body),
  ]);
  return Object.fromEntries(lists.filter(([, bodies]) => bodies?.length !== 0));
}
