/**
 * Whose a record set is, and what a marker says about it. Questions only; the answers decide in
 * plan.ts.
 */
import { isMarkOf, objectKeyOf, type Provenance } from "../model/provenance.ts";
import {
  canonicalValues,
  type DesiredRecordSet,
  hasSameData,
  type RecordSet,
  recordSetKeyText,
} from "../model/record-set.ts";
import type { KeyChange, Marker, OwnedRecordSet } from "./changes.ts";
import type { PlanRules } from "./rules.ts";

/** An owned record set whose marker is there. */
export type Marked = OwnedRecordSet & { readonly marker: Marker };

/**
 * Type of a half pair whose marker names no type (a legacy marker of external-dns without any data
 * at its name): it speaks for every type there but AAAA.
 */
export const ANY_TYPE = "ANY";

/**
 * What a marker of another format without a type speaks for: what the programs that wrote it
 * published.
 */
const UNTYPED_MARKER_TYPES: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "TXT"]);

/** True when a marker of another format that names no type speaks for data of this one. */
export function isMarkedByUntypedMarker(type: string): boolean {
  return UNTYPED_MARKER_TYPES.has(type);
}

/** Types of external-dns besides those that a marker without a type owns here (ADR 0023). */
const EXTERNAL_DNS_UNTYPED: ReadonlySet<string> = new Set([
  "NS",
  "MX",
  "SRV",
  "TXT",
  "PTR",
  "NAPTR",
]);

/**
 * True for data that external-dns would take a marker without a type beside it for, and which we do
 * not.
 */
export function isMarkedForExternalDnsOnly({
  type,
  data,
}: Pick<OwnedRecordSet, "type" | "data">): boolean {
  return data !== null && EXTERNAL_DNS_UNTYPED.has(type);
}

/** True when a group of ours marked it and nobody else did. */
export function isOwnedByUs(
  current: OwnedRecordSet,
  rules: Pick<PlanRules, "owners">,
): current is Marked {
  return current.marker !== null && !current.contested && rules.owners.has(current.marker.owner);
}

/** True when a group of ours marked it and somebody else did too: nobody writes (Z-9). */
export function isContestedWithUs(current: OwnedRecordSet, rules: PlanRules): boolean {
  return current.contested && current.marker !== null && rules.owners.has(current.marker.owner);
}

/**
 * Who contests it, for messages: the owner ids, or the text that shares the record set with a
 * marker.
 */
export function contestText({ owners = [], marker }: OwnedRecordSet): string {
  const claimants = owners.map((owner) => `"${owner}"`).join(" and ");
  if (owners.length > 1) return `markers of the owners ${claimants} claim the record`;
  if (marker !== null && marker.record === null)
    return `the registry says "${marker.owner}" for other data than stands there: put that data back, or remove the row from the registry`;
  const where = marker?.record?.name ?? "the name";
  return `the marker at ${where} shares its record set with a text, which must be moved first`;
}

/** What is wrong with a marker that proves nobody's right, for messages. */
export function troubleText({ trouble, record }: Marker): string {
  const where = record?.name ?? "the name";
  if (trouble === "MarkerUnreadable")
    return `the marker at ${where} is encrypted with a key that is not ours`;
  if (trouble === "MarkerAmbiguous")
    return `the marker at ${where} can be read as that of several records that stand, by the prefix, suffix and wildcard replacement in use and those of --txt-also-read; drop the one that was never used, or remove the marker`;
  return trouble === "MarkerUnsigned"
    ? `the marker at ${where} names our owner id and is not signed`
    : `the marker at ${where} names our owner id, and its signature does not fit`;
}

/** What to do about a marker that shares its record set, and what happens then. */
export function sharedText({ record }: Marker): string {
  const where = record === null ? "its record set" : `${record.type} ${record.name}`;
  return `move the other text in ${where} to another name; the change is made by itself then`;
}

/** True when the marker names this object. A marker without a cluster means any cluster. */
export function markerNamesObject(marker: Marker, object: Provenance): boolean {
  if (!isMarkOf(marker, object)) return false;
  return marker.cluster === null || marker.cluster === object.cluster;
}

/**
 * True when the marker's record set holds something else besides: then it is never removed or
 * rewritten (S13).
 */
export function isShared(marker: Marker): boolean {
  return marker.record !== null && marker.record.values.length > 1;
}

/** The object in a marker; null when it has none, or only its hash. */
export function objectIn(marker: Marker | null): Provenance | null {
  return marker === null ? null : objectKeyOf(marker.resource, marker.cluster);
}

/**
 * The object that is told: the one that wants the change, else the one in the marker; null = there
 * is neither.
 */
export function objectOf({ desired, current }: KeyChange): Provenance | null {
  return desired?.provenance ?? objectIn(current?.marker ?? null);
}

/**
 * True when an unmarked record may be taken over for `want` (DESIGN §6). Another's marker is never
 * taken.
 */
export function mayAdopt(
  current: OwnedRecordSet,
  desired: DesiredRecordSet,
  rules: PlanRules,
): boolean {
  if (current.marker !== null || current.contested || current.data === null) return false;
  const order = rules.orders?.get(recordSetKeyText(current));
  if (order?.is === "adopt") return hasSameValues(order.values, current.data.values);
  return wouldAdopt(current.data, desired, rules.adoption);
}

/** True when the adoption rule takes this data for `want` where it stands without a marker. */
export function wouldAdopt(
  data: RecordSet,
  desired: DesiredRecordSet,
  adoption: PlanRules["adoption"],
): boolean {
  if (adoption.mode === "equal") return hasSameData(data, desired);
  if (adoption.mode === "never") return false;
  if (isListedByObject(desired, data)) return true;
  const key = recordSetKeyText(desired);
  return adoption.keys.some((listed) => recordSetKeyText(listed) === key);
}

/**
 * The object names what stands there, exactly; nothing stands without a value, so it has to name
 * one.
 */
function isListedByObject({ transfer }: DesiredRecordSet, data: RecordSet): boolean {
  const listed = (transfer?.adopt ?? []).filter(({ type }) => type === data.type);
  const values = canonicalValues(listed.map(({ value }) => value));
  return hasSameValues(values, data.values);
}

function hasSameValues(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** For messages: whose it is. */
export function ownerText({ contested, marker }: OwnedRecordSet): string {
  if (contested) return "claimed by two owners";
  if (marker === null) return "without an owner";
  if (marker.format === undefined) return `owned by "${marker.owner}"`;
  const where = marker.record?.name ?? "the name";
  return `owned by "${marker.owner}" as the ${marker.format} marker at ${where} says`;
}
