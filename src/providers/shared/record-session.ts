/**
 * A vendor's session on an API that has a record with an id of its own for each value: a batch
 * names the records that go, so that a value that was not read is never removed. What a change is
 * value by value is also for APIs that write values one a call.
 */
import { groupedBy } from "@zonekeeper/base/grouped-by";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Zone } from "../../model/zone.ts";
import type { Change, ChangeGroup, Outcome } from "../../plan/changes.ts";
import { type Batch, BatchSession, heldTogether, type ItemsAt } from "./batch-session.ts";
import { changedOutcome } from "./failed-calls.ts";
import { writtenSet } from "./vendor-session.ts";

/** A value of a record set, as an API has it. */
interface ValueRecord {
  readonly type: string;
  /** Canonical rdata. */
  readonly value: string;
}

/** A change of a record set, value by value. Records are in the order in which they are known. */
export interface ValueChange<R> {
  /** Records of values that the change replaces or removes. */
  readonly before: readonly R[];
  /** Those of them whose values stay, and those whose values go. */
  readonly staying: readonly R[];
  readonly going: readonly R[];
  readonly coming: readonly string[];
  /** A value that the change replaces or removes has no record. */
  readonly lacksRecords: boolean;
}

/** `records`: what is known of the name. */
export function valueChange<R extends ValueRecord>(
  change: Change,
  records: readonly R[],
): ValueChange<R> {
  const { type } = writtenSet(change);
  const previous = new Set(change.op === "create" ? [] : change.previous.values);
  const next = new Set(change.op === "remove" ? [] : change.next.values);
  const before = records.filter((one) => one.type === type && previous.has(one.value));
  return {
    before,
    staying: before.filter(({ value }) => next.has(value)),
    going: before.filter(({ value }) => !next.has(value)),
    coming: [...next].filter((value) => !previous.has(value)),
    lacksRecords: new Set(before.map(({ value }) => value)).size < previous.size,
  };
}

/** A record with its name. */
export interface NamedRecord<R> {
  readonly name: DnsName;
  readonly record: R;
}

/** What a vendor makes of a change, with the name that it writes. */
export type RecordOperation<O> = O & { readonly name: DnsName };

/** What an answer says of the records of the names that were written. */
export interface MovedRecords<R> {
  readonly isGone: (record: R) => boolean;
  readonly come: readonly NamedRecord<R>[];
}

/** See `VendorSession`. `O`: one operation of a call. */
export abstract class RecordSession<R extends ValueRecord, O> extends BatchSession<NamedRecord<R>> {
  protected override readonly listsSoa = false;

  /** `values`: what the change is, by what is known of the name. */
  protected abstract operationsOf(change: Change, values: ValueChange<R>, zone: Zone): readonly O[];
  /** Makes the call; there is one operation at least. */
  protected abstract send(
    zone: Zone,
    operations: readonly RecordOperation<O>[],
    signal: AbortSignal,
  ): Promise<MovedRecords<R>>;
  /** Why the change cannot be sent, whatever was read; null = it can. */
  protected readonly refuse: RefuseChange<R> = () => null;

  protected nameOf({ name }: NamedRecord<R>): DnsName {
    return name;
  }

  /** Names with values that are to go and whose records are not known. */
  protected override unread(
    groups: readonly ChangeGroup[],
    at: ItemsAt<NamedRecord<R>>,
  ): readonly DnsName[] {
    const lacking = groups
      .flatMap(({ changes }) => changes)
      .filter((change) => valueChange(change, recordsAt(change, at)).lacksRecords);
    return [...new Set(lacking.map((change) => writtenSet(change).name))];
  }

  protected batchOf(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): Batch<NamedRecord<R>> {
    const operations: RecordOperation<O>[] = [];
    const troubles = new Map<number, Outcome>();
    for (const [index, group] of groups.entries())
      for (const change of group.changes) {
        const known = recordsAt(change, (name) => this.known.at(zone, name));
        const values = valueChange(change, known);
        const isGone = change.op === "replace" && values.lacksRecords;
        const trouble = isGone
          ? changedOutcome(group.name, "a record that is to be replaced does not exist any more")
          : this.refuse(change, known, group);
        if (trouble !== null && !troubles.has(index)) troubles.set(index, trouble);
        const { name } = writtenSet(change);
        for (const operation of this.operationsOf(change, values, zone))
          operations.push({ ...operation, name });
      }
    return {
      held: heldTogether(groups, troubles),
      send: async () => {
        if (operations.length === 0) return { after: new Map() };
        const moved = await this.send(zone, operations, signal);
        return { after: this.#after(zone, operations, moved) };
      },
    };
  }

  #after(
    zone: Zone,
    operations: readonly RecordOperation<O>[],
    { isGone, come }: MovedRecords<R>,
  ): ReadonlyMap<DnsName, readonly NamedRecord<R>[]> {
    const comeAt = groupedBy(come, ({ name }) => name);
    const after = operations.map(({ name }) => {
      const staying = (this.known.at(zone, name) ?? []).filter(({ record }) => !isGone(record));
      return [name, [...staying, ...(comeAt.get(name) ?? [])]] as const;
    });
    return new Map(after);
  }
}

type RefuseChange<R> = (change: Change, known: readonly R[], group: ChangeGroup) => Outcome | null;

function recordsAt<R>(change: Change, at: ItemsAt<NamedRecord<R>>): readonly R[] {
  return (at(writtenSet(change).name) ?? []).map(({ record }) => record);
}
