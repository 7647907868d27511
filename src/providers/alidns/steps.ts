/**
 * A change of a record set as calls, each of which writes one record: a value that comes takes the
 * place of one that goes. What comes is written before what goes is removed, so that the name
 * always has an answer. Pure.
 */
import type { Zone } from "../../model/zone.ts";
import type { Change } from "../../plan/changes.ts";
import { valueChange } from "../shared/record-session.ts";
import { writtenSet } from "../shared/vendor-session.ts";
import { fromValue, type KnownRecord, LINE_DEFAULT } from "./convert.ts";

/** One call that writes. */
export interface RecordStep {
  readonly action: "AddDomainRecord" | "UpdateDomainRecord" | "DeleteDomainRecord";
  /** `RecordId` is that of the record that is updated or removed; without it one is added. */
  readonly parameters: Readonly<Record<string, string>>;
  /** What the record is afterwards; null = it is gone. */
  readonly record: Omit<KnownRecord, "id"> | null;
}

/** `records`: those of the record set as they are known; `domainName`: as calls name the zone. */
export function stepsOf(
  change: Change,
  records: readonly KnownRecord[],
  zone: Pick<Zone, "name">,
  domainName: string,
): readonly RecordStep[] {
  const set = writtenSet(change);
  const { name, type, ttlSeconds } = set;
  const { staying, going, coming } = valueChange(change, records);
  const late = staying.filter((record) => record.ttlSeconds !== ttlSeconds);
  const write = (value: string, record: KnownRecord | undefined): RecordStep => {
    const of = record ? { RecordId: record.id } : { DomainName: domainName };
    return {
      action: record ? "UpdateDomainRecord" : "AddDomainRecord",
      parameters: { ...of, ...fromValue(set, value, zone.name) },
      record: { name, type, ttlSeconds, value, line: LINE_DEFAULT, isDisabled: false },
    };
  };
  return [
    ...coming.map((value, index) => write(value, going[index])),
    ...late.map((record) => write(record.value, record)),
    ...going.slice(coming.length).map(({ id }): RecordStep => {
      return { action: "DeleteDomainRecord", parameters: { RecordId: id }, record: null };
    }),
  ];
}
