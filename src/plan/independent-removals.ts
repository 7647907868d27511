/**
 * What of a plan may be carried out while the rest of it cannot: a registry finds no place for a
 * marker only after all is planned. Pure.
 */
import type { DnsName } from "../model/dns-name.ts";
import { isSameKey, type RecordSet } from "../model/record-set.ts";
import type { KeyChange, NamePlan } from "./changes.ts";
import { mustKeepUntilReplaced } from "./decide-unwanted.ts";

/**
 * Removals that are proven, for nobody wants them. Not the last answer of an object that still
 * wants something at the name: it stays until something else stands there, as in leave.ts.
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
