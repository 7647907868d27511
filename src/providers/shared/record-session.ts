/**
 * A vendor's session on an API that has a record with an id of its own for each value: a batch
 * names the records that go, so that a value that was not read is never removed. What a change is
 * value by value is also for APIs that write values one a call.
 */
import { groupedBy } from "@zonekeeper/base/grouped-by";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Zone } from "../../model/zone.ts";
import type { Change, ChangeGroup } from "../../plan/changes.ts";
import { BatchSession, type ItemsAt, type Sent } from "./batch-session.ts";
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

/** What is known of a name. */
export type RecordsAt<R> = (name: DnsName) => readonly R[];

/** See `VendorSession`. */
export abstract class RecordSession<R extends ValueRecord> extends BatchSession<NamedRecord<R>> {
  protected override readonly listsSoa = false;

  protected nameOf({ name }: NamedRecord<R>): DnsName {
    return name;
  }

  /** Names with values that are to go and whose records are not known. */
  protected override unread(
    groups: readonly ChangeGroup[],
    at: ItemsAt<NamedRecord<R>>,
  ): readonly DnsName[] {
    const recordsAt = recordsBy(at);
    const names = groups.flatMap(({ changes }) =>
      changes.flatMap((change) => {
        const { name } = writtenSet(change);
        return valueChange(change, recordsAt(name)).lacksRecords ? [name] : [];
      }),
    );
    return [...new Set(names)];
  }

  protected recordsAt(zone: Zone): RecordsAt<R> {
    return recordsBy((name) => this.known.at(zone, name));
  }

  /** An answer says that of the records of these names some are gone and others came. */
  protected sent(
    zone: Zone,
    names: readonly DnsName[],
    { isGone, come }: RecordsMoved<R>,
  ): Sent<NamedRecord<R>> {
    const comeAt = groupedBy(come, ({ name }) => name);
    const after = names.map((name) => {
      const staying = (this.known.at(zone, name) ?? []).filter(({ record }) => !isGone(record));
      return [name, [...staying, ...(comeAt.get(name) ?? [])]] as const;
    });
    return { after: new Map(after) };
  }
}

interface RecordsMoved<R> {
  readonly isGone: (record: R) => boolean;
  readonly come: readonly NamedRecord<R>[];
}

function recordsBy<R>(at: ItemsAt<NamedRecord<R>>): RecordsAt<R> {
  return (name) => (at(name) ?? []).map(({ record }) => record);
}
