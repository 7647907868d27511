/**
 * The removals of a plan that may be carried out while its other changes cannot, because the
 * registry finds no name for the marker (the record that states the owner) of a new record. Pure.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { isSameKey, type RecordSet } from "../model/record-set.ts";
import type { KeyChange, NamePlan } from "./changes.ts";
import { mustKeepUntilReplaced } from "./decide-unwanted.ts";

/**
 * The removals with a proof that no object wants the record. Not the last address of an object that
 * still wants a record at the name: it is kept until a replacement exists, as in
 * decide-unwanted.ts. `content`: the zone.
 */
export function selectIndependentRemovals(
  { name, changes }: NamePlan,
  content: { at(name: DnsName): readonly RecordSet[] },
): readonly KeyChange[] {
  const removals = changes.filter(({ proof }) => proof !== null);
  const isRemoved = (set: RecordSet): boolean =>
    removals.some(({ key, change }) => change !== null && isSameKey(key, set));
  const wanted = changes.flatMap(({ desired }) => desired ?? []);
  const isMarker = (set: RecordSet): boolean =>
    changes.some(({ current }) => {
      const record = current?.marker?.record ?? null;
      return record !== null && isSameKey(record, set);
    });
  const remaining = content.at(name).filter((set) => !isRemoved(set) && !isMarker(set));
  const types = remaining.map(({ type }) => type);
  return removals.filter(
    ({ change, current }) =>
      change === null || current === null || !mustKeepUntilReplaced(current, types, wanted),
  );
}
