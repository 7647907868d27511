/**
 * Finds zones that may be one zone seen twice (Z-18): equal apex under two identities. A
 * removal in one could be what the other wants, so nothing is removed in either until a person
 * takes one of them away. Pure.
 */

import { parseSoaFields } from "../../model/rdata/soa.ts";
import type { RecordSet } from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import { type Zone, zoneIdentity } from "../../model/zone.ts";

/** A zone with what stands at its apex; null = it was not read yet. */
export interface ApexView {
  readonly zone: Zone;
  readonly apex: readonly RecordSet[] | null;
}

/**
 * The first of the others that may be the same zone, or null. The very same identity is no twin, it
 * is the zone.
 */
export function twinOf(one: ApexView, others: readonly ApexView[]): Zone | null {
  const mark = apexText(one.apex);
  if (mark === null) return null;
  const twin = others.find(
    (other) =>
      other.zone.name === one.zone.name &&
      !isSameZone(other.zone, one.zone) &&
      apexText(other.apex) === mark,
  );
  return twin?.zone ?? null;
}

/** Whether both are the very same zone, which two accounts may show. */
export function isSameZone(one: Zone, other: Zone): boolean {
  return isSameJson(zoneIdentity(one), zoneIdentity(other));
}

/**
 * SOA and NS as one text, without the serial: two readings of one zone differ in it. Null when
 * there is no SOA.
 */
function apexText(apex: readonly RecordSet[] | null): string | null {
  const soa = apex?.find((set) => set.type === "SOA")?.values[0];
  if (apex === null || soa === undefined) return null;
  const fields = parseSoaFields(soa);
  if (!fields.ok) return null;
  const { serial: _, ...lasting } = fields.value;
  const servers = apex.find((set) => set.type === "NS")?.values ?? [];
  return JSON.stringify([Object.entries(lasting).sort(), [...servers].sort()]);
}
