/**
 * The record sets of a name after a delta (such as an incremental transfer): those before it, with
 * the records that were added and without those that were removed. Pure.
 */
import { groupedBy } from "@zonekeeper/base/grouped-by";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import type { RecordSet } from "../../model/record-set.ts";
import type { MovedRecord } from "../../providers/provider.ts";

/** The records of a delta by name. */
export function movedByName(
  records: readonly MovedRecord[],
): ReadonlyMap<DnsName, readonly MovedRecord[]> {
  return groupedBy(records, ({ name }) => name);
}

/**
 * The record sets of one name; types without a record in the delta stay as they are. `known`: the
 * sets at the earlier change token or later, but not later than the delta.
 */
export function setsAfter(
  known: readonly RecordSet[],
  moved: readonly MovedRecord[],
): readonly RecordSet[] {
  const types = new Set(moved.map(({ type }) => type));
  const unchanged = known.filter(({ type }) => !types.has(type));
  const changed = [...types].flatMap((type) =>
    setAfter(
      known.find((set) => set.type === type),
      moved.filter((record) => record.type === type),
    ),
  );
  return [...unchanged, ...changed];
}

function setAfter(
  known: RecordSet | undefined,
  moved: readonly MovedRecord[],
): readonly RecordSet[] {
  const [first] = moved;
  if (first === undefined) return [];
  const gone = new Set(moved.map(({ value }) => value));
  const stay = known?.values.filter((value) => !gone.has(value)) ?? [];
  const there = moved.filter(({ isThere }) => isThere);
  if (stay.length + there.length === 0) return [];
  const { name, type } = first;
  // RFC 2181 §5.2: where the TTLs of a set differ, the lowest counts, as in a reading.
  const ttls = there.map(({ ttlSeconds }) => ttlSeconds);
  const ttlSeconds = Math.min(...ttls, ...(stay.length > 0 && known ? [known.ttlSeconds] : []));
  const values = canonicalValues([...stay, ...there.map(({ value }) => value)]);
  const plain = { setIdentifier: null, properties: {}, routingPolicy: null };
  return [{ name, type, ttlSeconds, values, ...plain }];
}
