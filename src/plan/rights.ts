/** Who owns a record set, by its marker. Questions and message texts only; decide-*.ts decides. */
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import { type Provenance, readObjectKey } from "../model/provenance.ts";
import {
  type DesiredRecordSet,
  hasSameData,
  type RecordSet,
  recordSetKeyText,
} from "../model/record-set.ts";
import { isSameJson } from "../model/same-json.ts";
import type { KeyChange, Marker, OwnedRecordSet } from "./changes.ts";
import type { PlanRules } from "./rules.ts";

/** An owned record set whose marker is there. */
export type Marked = OwnedRecordSet & { readonly marker: Marker };

/**
 * The type of a marker without data that names no type: a legacy marker of external-dns. It covers
 * every type at its name but AAAA.
 */
export const ANY_TYPE = "ANY";

/**
 * Types that a marker without a type covers where it has the format of another registry (`format`):
 * the programs that write such markers publish only these.
 */
const UNTYPED_MARKER_TYPES: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "TXT"]);

/** True when a marker of another format without a type covers data of this type. */
export function isMarkedByUntypedMarker(type: string): boolean {
  return UNTYPED_MARKER_TYPES.has(type);
}

/** Types that a marker without a type covers in external-dns, but not here (ADR 0023). */
const EXTERNAL_DNS_UNTYPED: ReadonlySet<string> = new Set([
  "NS",
  "MX",
  "SRV",
  "TXT",
  "PTR",
  "NAPTR",
]);

/** True for data that a marker without a type covers in external-dns, but not here. */
export function isMarkedForExternalDnsOnly({
  type,
  data,
}: Pick<OwnedRecordSet, "type" | "data">): boolean {
  return data !== null && EXTERNAL_DNS_UNTYPED.has(type);
}

/** True when its only marker has an owner id of ours. */
export function isOwnedByUs(
  current: OwnedRecordSet,
  rules: Pick<PlanRules, "owners">,
): current is Marked {
  // clause: marker-decides-ownership
  return (
    current.marker !== null &&
    !current.contested &&
    /* clause: marker-names-our-owner-id */ rules.owners.has(current.marker.owner)
  );
}

/** True when an owner id of ours and another one mark it: neither may write (Z-9). */
export function isContestedWithUs(
  current: OwnedRecordSet,
  rules: Pick<PlanRules, "owners">,
): boolean {
  return current.contested && current.marker !== null && rules.owners.has(current.marker.owner);
}

/**
 * Why the record set is contested, for messages: several owner ids, other data, or a shared text.
 */
export function contestText({ owners = [], marker }: OwnedRecordSet): string {
  const claimants = owners.map((owner) => `"${owner}"`).join(" and ");
  if (owners.length > 1)
    return `markers of the owners ${claimants} claim the record; remove the wrong one`;
  if (marker !== null && marker.record === null)
    return `the registry row of the owner "${marker.owner}" is for other data; restore that data, or remove the row from the registry`;
  const where = marker?.record?.name ?? "the name";
  if (marker?.record?.values.some((value) => value.includes("/targets=")) === true)
    return `the markers at ${where} are not those of parts of one record: each needs our owner id, a cluster of its own and targets; remove the one that does not fit`;
  return `the marker at ${where} shares its record set with another text; move that text to another name`;
}

/** Why a marker proves no owner, for messages. */
export function troubleText({ trouble, record }: Marker): string {
  const where = record?.name ?? "the name";
  if (trouble === "MarkerUnreadable")
    return `the marker at ${where} is encrypted and our key does not open it`;
  if (trouble === "MarkerAmbiguous")
    return `the marker at ${where} fits several existing records, by the name templates in use and those of --txt-also-read; remove the template that was never used, or remove the marker`;
  return trouble === "MarkerUnsigned"
    ? `the marker at ${where} has our owner id and no signature`
    : `the marker at ${where} has our owner id and an invalid signature`;
}

/**
 * Values of others in the record set that are not desired (Z-27); empty = there are none. They are
 * never changed.
 */
export function undesiredForeign(
  { foreignValues = [] }: OwnedRecordSet,
  desired: Pick<DesiredRecordSet, "values"> | null,
): readonly string[] {
  return foreignValues.filter((value) => desired?.values.includes(value) !== true);
}

/** Why a record set with values of others is left alone, for messages. */
export function foreignValueText(type: string, values: readonly string[]): string {
  return `the ${type} record has ${values.join(", ")} of somebody else; remove that value there, or add it to the object`;
}

/** The remedy for a marker that shares its record set, for messages. */
export function sharedText({ record }: Marker): string {
  const where = record === null ? "its record set" : `${record.type} ${record.name}`;
  return `move the other text in ${where} to another name, and the change follows by itself`;
}

/**
 * True when the marker's record set has other values: then it is never removed or rewritten
 * (docs/invariants.md, S13).
 */
export function isShared(marker: Marker): boolean {
  // clause: shared-marker-is-not-changed
  return marker.record !== null && marker.record.values.length > 1;
}

/** The object in a marker; null when the marker names none, or only a hash. */
export function objectIn(marker: Marker | null): Provenance | null {
  return marker === null ? null : readObjectKey(marker.resource, marker.cluster);
}

/** The object to report a change to: the one that wants it, else the marker's; null = neither. */
export function objectOf({ desired, current }: KeyChange): Provenance | null {
  return desired?.provenance ?? objectIn(current?.marker ?? null);
}

/**
 * True when an unmarked record may be adopted for `desired` (docs/safety.md#adoption). Never with a
 * marker.
 */
export function mayAdopt(
  current: OwnedRecordSet,
  desired: DesiredRecordSet,
  rules: PlanRules,
): boolean {
  if (current.marker !== null || current.contested || current.data === null) return false;
  const order = rules.orders?.get(recordSetKeyText(current));
  if (order?.is === "adopt") return isSameJson(order.values, current.data.values);
  return wouldAdopt(current.data, desired, rules.adoption);
}

/** True when the adoption rule allows to adopt this unmarked data for `desired`. */
export function wouldAdopt(
  data: RecordSet,
  desired: DesiredRecordSet,
  adoption: PlanRules["adoption"],
): boolean {
  if (adoption.mode === "equal" || adoption.mode === "unmarked") return hasSameData(data, desired);
  if (adoption.mode === "never") return false;
  // The object lists exactly the values of the record; an empty list matches no record.
  const listed = (desired.transfer?.adopt ?? []).filter(({ type }) => type === data.type);
  if (isSameJson(canonicalValues(listed.map(({ value }) => value)), data.values)) return true;
  const key = recordSetKeyText(desired);
  return adoption.keys.some((one) => recordSetKeyText(one) === key);
}

/** The owner of the record set, for messages. */
export function ownerText({ contested, marker }: OwnedRecordSet): string {
  if (contested) return "and two owners claim it";
  if (marker === null) return "and has no owner";
  if (marker.format === undefined) return `and is owned by "${marker.owner}"`;
  const where = marker.record?.name ?? "the name";
  return `and is owned by "${marker.owner}" by the ${marker.format} marker at ${where}`;
}
