/**
 * Finds zones that are possibly the same zone (Z-18): equal apex under two identities. A record
 * that one removes could be desired in the other. So neither removes anything until the user
 * removes one of them. Pure.
 */

import { parseSoaFields } from "../../model/rdata/soa.ts";
import type { RecordSet } from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import { type Zone, zoneIdentity } from "../../model/zone.ts";

/** A zone with the record sets at its apex; null = the zone was not read yet. */
export interface ApexView {
  readonly zone: Zone;
  readonly apex: readonly RecordSet[] | null;
}

/**
 * The first of the others that is possibly the same zone, or null. A zone of equal identity is no
 * duplicate, it is the zone.
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

/** True when both have one identity; two accounts may list one zone. */
export function isSameZone(one: Zone, other: Zone): boolean {
  return isSameJson(zoneIdentity(one), zoneIdentity(other));
}

/**
 * SOA and NS as one text, without the serial: two snapshots of one zone may differ in it. Null when
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
