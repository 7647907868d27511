/**
 * A change of a record set as calls, each of which writes one record: a value that comes takes the
 * place of one that goes. What comes is written before what goes is removed, so that the name
 * always has an answer. Pure.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Change } from "../../plan/changes.ts";
import { fromValue, type KnownRecord, LINE_DEFAULT } from "./convert.ts";

/** One call that writes. */
export interface RecordStep {
  readonly action: "AddDomainRecord" | "UpdateDomainRecord" | "DeleteDomainRecord";
  readonly parameters: Readonly<Record<string, string>>;
  readonly name: DnsName;
  /** Of the record that is updated or removed; null = one is added. */
  readonly id: string | null;
  /** What the record is afterwards; null = it is gone. */
  readonly record: Omit<KnownRecord, "id"> | null;
}

/** The zone's apex, and the name by which calls name it. */
export interface StepZone {
  readonly apex: DnsName;
  readonly domainName: string;
}

/** True where a value that is to go is not among the records. */
export function lacksRecords(change: Change, records: readonly KnownRecord[]): boolean {
  if (change.op === "create") return false;
  const found = new Set(records.map(({ value }) => value));
  return change.previous.values.some((value) => !found.has(value));
}

/** `records`: those of the record set as they are known. */
export function stepsOf(
  change: Change,
  records: readonly KnownRecord[],
  zone: StepZone,
): readonly RecordStep[] {
  const previous = change.op === "create" ? [] : change.previous.values;
  const before = records.filter(({ value }) => previous.includes(value));
  if (change.op === "remove") return before.map(deletion);
  const { next } = change;
  const coming = next.values.filter((value) => !previous.includes(value));
  const going = before.filter(({ value }) => !next.values.includes(value));
  const late = before.filter(
    ({ value, ttlSeconds }) => next.values.includes(value) && ttlSeconds !== next.ttlSeconds,
  );
  const write = (value: string, record: KnownRecord | null): RecordStep => {
    const { name, type, ttlSeconds } = next;
    const fields = fromValue(next, value, zone.apex);
    const made = { name, type, ttlSeconds, value, line: LINE_DEFAULT, isDisabled: false };
    return {
      action: record === null ? "AddDomainRecord" : "UpdateDomainRecord",
      parameters: {
        ...(record ? { RecordId: record.id } : { DomainName: zone.domainName }),
        ...fields,
      },
      name,
      id: record?.id ?? null,
      record: made,
    };
  };
  return [
    ...coming.map((value, index) => write(value, going[index] ?? null)),
    ...late.map((record) => write(record.value, record)),
    ...going.slice(coming.length).map(deletion),
  ];
}

function deletion({ id, name }: KnownRecord): RecordStep {
  return { action: "DeleteDomainRecord", parameters: { RecordId: id }, name, id, record: null };
}
