/**
 * What of a plan may be carried out while the rest of it cannot: a registry finds no place for a marker only after all is
 * planned. Pure.
 */
import type { DnsName } from "../model/dns-name.ts";
import { isSameKey, type RecordSet } from "../model/record-set.ts";
import type { KeyChange, NamePlan } from "./changes.ts";
import { names } from "./rights.ts";

/**
 * Removals that are proven, for nobody wants them. Not the last answer of an object that still wants something at the name:
 * it stays until something else stands there, as in leave.ts.
 */
export function goingAlone(
  { name, changes }: NamePlan,
  content: { at(name: DnsName): readonly RecordSet[] },
): readonly KeyChange[] {
  const going = changes.filter(({ proof }) => proof !== null);
  const isGoing = (set: RecordSet): boolean =>
    going.some(({ key, change }) => change !== null && isSameKey(key, set));
  const isMarker = (set: RecordSet): boolean =>
    changes.some(({ current }) => {
      const record = current?.marker?.record ?? null;
      return record !== null && isSameKey(record, set);
    });
  if (content.at(name).some((set) => !isGoing(set) && !isMarker(set))) return going;
  return going.filter((one) => one.change === null || !isMissed(one, changes));
}

function isMissed({ current }: KeyChange, changes: readonly KeyChange[]): boolean {
  const marker = current?.marker;
  return (
    marker !== undefined &&
    marker !== null &&
    changes.some(({ desired }) => desired !== null && names(marker, desired.provenance))
  );
}
