/** Whether two ways may lead into one zone (Z-18), as far as the apex tells. Pure. */
import { parseSoaFields } from "@zonekeeper/dns/rdata/soa";
import type { RecordSet } from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import { type Zone, zoneIdentity } from "../../model/zone.ts";

/** A zone with the record sets at its apex. */
export interface ApexView {
  readonly zone: Zone;
  readonly apex: readonly RecordSet[];
}

/**
 * True where both have one identity, or an equal apex: SOA without the serial, which two readings
 * of one zone may differ in, and NS. Vendors write equal ones into all private zones: there the ids
 * have to be equal, too.
 */
export function maybeSame(one: ApexView, other: ApexView): boolean {
  if (isSameIdentity(one, other)) return true;
  const isPrivate = [one, other].some(({ zone }) => zone.visibility === "private");
  if (isPrivate && one.zone.id !== other.zone.id) return false;
  const text = apexText(one.apex);
  // clause: equal-apex-may-be-same-zone
  return text !== null && text === apexText(other.apex);
}

/** True when both have one identity (endpoint, zone id, view): stored state is then shared. */
export function isSameIdentity(
  one: { readonly zone: Zone },
  other: { readonly zone: Zone },
): boolean {
  return isSameJson(zoneIdentity(one.zone), zoneIdentity(other.zone));
}

/** Null when there is no SOA. */
function apexText(apex: readonly RecordSet[]): string | null {
  const soa = apex.find((set) => set.type === "SOA")?.values[0];
  if (soa === undefined) return null;
  const fields = parseSoaFields(soa);
  if (!fields.ok) return null;
  const { serial: _, ...lasting } = fields.value;
  const servers = apex.find((set) => set.type === "NS")?.values ?? [];
  return JSON.stringify([Object.entries(lasting).sort(), [...servers].sort()]);
}
