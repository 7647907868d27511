/**
 * Who may take over the record of another owner: by a permit of its owner, or by an order of a
 * person (docs/safety.md#transfer, Z-13, Z-15). A marker is the record that states the owner; a
 * permit is a record by which that owner lets one object claim. Claimed is only the marker: nothing
 * here allows to write or remove data before the marker is ours.
 */
import { isMarkOf, matchesResource, readObjectKey, resourceOf } from "../model/provenance.ts";
import { type DesiredRecordSet, isSameKey, recordSetKeyText } from "../model/record-set.ts";
import { isPermitForOwner, type TransferRequest } from "../model/transfer-request.ts";
import {
  changeAt,
  type KeyChange,
  type Marker,
  type OwnedRecordSet,
  type PermitRecord,
} from "./changes.ts";
import { isPending } from "./pending.ts";
import { isOwnedByUs, type Marked } from "./rights.ts";
import type { PlanRules } from "./rules.ts";

/** The input that decides about claims. */
export interface ClaimContext {
  /** Every desired record set that competes for the name. */
  readonly contenders: readonly DesiredRecordSet[];
  readonly current: readonly OwnedRecordSet[];
  readonly rules: Pick<PlanRules, "owners" | "mainOwner" | "orders" | "noPermits">;
}

/** True when the holder of a record set at the name permits the claim of `desired` (Z-15). */
export function isPermittedClaim(desired: DesiredRecordSet, context: ClaimContext): boolean {
  const { current, rules } = context;
  return current.some(
    (one) => isPermittedByHolder(desired, one, context) || mayTakeOver(one, desired, rules),
  );
}

/** True when an object of our own holds `one` and permits the claim of `desired`. */
export function isPermittedByHolder(
  desired: DesiredRecordSet,
  one: OwnedRecordSet,
  { contenders, rules }: ClaimContext,
): boolean {
  if (desired.transfer?.claim !== true || !isOwnedByUs(one, rules)) return false;
  const owner = ownerOf(desired, rules);
  return contenders.some((holder) => {
    const permit = holder.transfer?.permit ?? null;
    if (permit === null || !isMarkOf(one.marker, holder.provenance)) return false;
    return (
      permit.resource === resourceOf(desired.provenance) &&
      isPermitForOwner(permit, one.marker.owner, { owner, claims: true })
    );
  });
}

/**
 * True when another owner has the record set at this key, and that owner permits the claim of
 * `desired`, or a person has ordered the transfer.
 */
export function mayTakeOver(
  current: OwnedRecordSet,
  desired: DesiredRecordSet,
  rules: ClaimContext["rules"],
): current is Marked {
  if (current.data === null || current.marker === null) return false;
  if (current.contested) return ownerToEnd(current, desired, rules) !== null;
  if (!isOfOtherOwner(current, rules)) return false;
  if (recordSetKeyText(current) !== recordSetKeyText(desired)) return false;
  return isTransferOrdered(current.marker, desired, rules) || isClaimable(current, desired, rules);
}

/** The marker is whole, and of an owner that is none of ours. */
function isOfOtherOwner(
  { data, marker, contested }: OwnedRecordSet,
  { owners }: Pick<PlanRules, "owners">,
): boolean {
  if (data === null || marker === null || contested) return false;
  if (marker.trouble !== undefined || marker.format !== undefined) return false;
  return !owners.has(marker.owner) && !isPending(marker.labels);
}

/**
 * Takes over the markers of record sets that the object has at the name under its former owner, who
 * permits it, and of which it wants another type now (Z-13). Once the marker is ours, such a record
 * is removed or replaced like every other one of ours.
 */
export function claimFormerKeys({
  contenders,
  current,
  rules,
}: ClaimContext): readonly KeyChange[] {
  return current.flatMap((one) => {
    const claimant = contenders.find((desired) => isFormerKey(one, desired, rules));
    const isWanted = contenders.some(
      (desired) => isSameKey(desired, one) && isMarkOfDesired(one.marker, desired),
    );
    return claimant === undefined || isWanted ? [] : [claimFor(claimant, one, rules)];
  });
}

function isFormerKey(
  one: OwnedRecordSet,
  desired: DesiredRecordSet,
  rules: ClaimContext["rules"],
): boolean {
  // clause: former-key-is-of-the-same-object
  if (!isMarkOfDesired(one.marker, desired)) return false;
  return isOfOtherOwner(one, rules) && isClaimable(one, desired, rules);
}

function claimFor(
  desired: DesiredRecordSet,
  one: OwnedRecordSet,
  rules: ClaimContext["rules"],
): KeyChange {
  const { provenance } = desired;
  const message = `${resourceOf(provenance)} takes the record over from the owner "${one.marker?.owner}"`;
  return changeAt(
    one,
    { code: "Transferred", message },
    { marker: { owner: ownerOf(desired, rules), provenance }, permit: { is: "used" } },
  );
}

/**
 * The owner id whose markers a person ordered to remove from a key that our owner id marks too: an
 * interrupted transfer changed some of its markers. Null = no such order, or more owners contest
 * the key.
 */
export function ownerToEnd(
  current: OwnedRecordSet,
  desired: DesiredRecordSet,
  rules: Pick<PlanRules, "mainOwner" | "orders">,
): string | null {
  const { marker } = current;
  const order = rules.orders?.get(recordSetKeyText(current));
  if (marker === null || order?.is !== "transfer") return null;
  if (isPending(marker.labels) || order.marker !== markerState(marker)) return null;
  const owner = ownerOf(desired, rules);
  const { owners = [] } = current;
  const [other, ...more] = owners.filter((one) => one !== owner);
  const isOnlyOther = other === order.ends && more.length === 0 && owners.includes(owner);
  return other !== undefined && isOnlyOther ? other : null;
}

function isClaimable(
  { permit, marker }: OwnedRecordSet,
  desired: DesiredRecordSet,
  rules: ClaimContext["rules"],
): boolean {
  if (rules.noPermits !== undefined) return false;
  if (permit === undefined || permit.trouble !== undefined) return false;
  // clause: another-object-claims
  if (
    desired.transfer?.claim !== true &&
    /* clause: same-object-needs-no-claim */ !isMarkOfDesired(marker, desired)
  )
    return false;
  if (permit.owner !== marker?.owner || permit.toOwner !== ownerOf(desired, rules)) return false;
  return matchesResource(permit.toResource, desired.provenance);
}

/**
 * The marker of the other owner names this object: the object moved between two sets of controllers
 * (Z-13), so that it needs no claim.
 */
function isMarkOfDesired(marker: Marker | null, { provenance }: DesiredRecordSet): boolean {
  return (
    marker !== null &&
    /* clause: any-object-is-nobody */ marker.anyObject !== true &&
    isMarkOf(marker, provenance)
  );
}

function isTransferOrdered(
  marker: Marker,
  desired: DesiredRecordSet,
  rules: ClaimContext["rules"],
): boolean {
  const order = rules.orders?.get(recordSetKeyText(desired));
  return order?.is === "transfer" && order.marker === markerState(marker);
}

/**
 * The exact state of a marker. An order applies only while the state that a person saw is
 * unchanged.
 */
export function markerState({ record, labels }: Marker): string {
  return JSON.stringify(record?.values ?? labels);
}

/** A change that writes a permit, and neither data nor marker. */
type RightsDifference = Required<Pick<KeyChange, "permit" | "reason">>;

/**
 * The permit that the object in the marker gives and that is missing at a key of ours; null = none.
 */
export function permitDifference(
  transfer: TransferRequest | undefined,
  current: Marked,
  rules: Pick<PlanRules, "owners">,
): RightsDifference | null {
  const wanted = permitToOtherOwner(transfer, rules);
  const { permit } = current;
  if (wanted === null) return null;
  if (permit !== undefined && permit.isOutdated !== true && isSamePermit(permit, current, wanted))
    return null;
  const message = `${wanted.resource} of the owner "${wanted.owner}" may claim the record`;
  return {
    permit: { is: "given", owner: wanted.owner, resource: wanted.resource },
    reason: { code: "PermitGiven", message },
  };
}

/** Why the permit that an object asks for cannot be given in this zone; null = it can, or none. */
export function permitRefusal(
  transfer: TransferRequest | undefined,
  rules: Pick<PlanRules, "owners" | "noPermits">,
): string | null {
  if (rules.noPermits === undefined || permitToOtherOwner(transfer, rules) === null) return null;
  return `the record exists, but no permit can be given for it: ${rules.noPermits}`;
}

/** True when `transfer` still gives the existing permit; the form of the permit may be outdated. */
export function isStillGiven(
  permit: PermitRecord,
  current: Marked,
  {
    transfer,
    rules,
  }: { readonly transfer: TransferRequest; readonly rules: Pick<PlanRules, "owners"> },
): boolean {
  const wanted = permitToOtherOwner(transfer, rules);
  return wanted !== null && isSamePermit(permit, current, wanted);
}

/** Null when the permitted owner is ours too: then the conflict order decides (Z-15). */
function permitToOtherOwner(
  transfer: TransferRequest | undefined,
  rules: Pick<PlanRules, "owners">,
): { readonly owner: string; readonly resource: string } | null {
  const permit = transfer?.permit ?? null;
  if (permit === null || permit.owner === null || rules.owners.has(permit.owner)) return null;
  return { owner: permit.owner, resource: permit.resource };
}

function isSamePermit(
  permit: PermitRecord,
  { marker }: Marked,
  wanted: { readonly owner: string; readonly resource: string },
): boolean {
  const object = readObjectKey(wanted.resource, null);
  if (permit.owner !== marker.owner || permit.toOwner !== wanted.owner) return false;
  return object !== null && matchesResource(permit.toResource, object);
}

/** Removes each permit of ours at a key that is not ours any more: the permit alone. */
export function removeStalePermits(
  current: readonly OwnedRecordSet[],
  rules: Pick<PlanRules, "owners">,
): readonly KeyChange[] {
  const isStale = ({ permit, marker }: OwnedRecordSet): boolean =>
    permit !== undefined &&
    rules.owners.has(permit.owner) &&
    (marker === null || !rules.owners.has(marker.owner));
  const message = "the record is not ours any more, so our permit for it is removed";
  return current
    .filter(isStale)
    .map((one) => changeAt(one, { code: "PermitTidied", message }, { permit: { is: "tidied" } }));
}

/**
 * Withdrawn permits come first and alone; a new permit waits until no other change is left at the
 * name. So a failing data change never delays the end of a right, and a failing permit never delays
 * data.
 */
export function putPermitsInOrder(changes: readonly KeyChange[]): readonly KeyChange[] {
  if (changes.every(({ permit }) => permit === undefined)) return changes;
  // A removal of data removes its permit in the same batch.
  const taken = changes.filter(isOfPermitAlone);
  if (taken.length > 0) return taken;
  const others = changes.filter(({ permit }) => permit?.is !== "given");
  return others.length > 0 ? others : changes;
}

/** A permit ends, and neither marker nor data is written. */
export function isOfPermitAlone({ permit }: KeyChange): boolean {
  return permit?.is === "tidied" || (permit?.is === "withdrawn" && permit.alone === true);
}

/** How the author of `desired` can get the record of `current`; completes a message. */
export function claimAdvice(
  desired: DesiredRecordSet,
  { marker, permit }: OwnedRecordSet,
  rules: ClaimContext["rules"],
): string {
  if (desired.transfer?.claim !== true)
    return marker === null
      ? `; delete it, or take it over with zonekeeper ownership adopt ${desired.name}`
      : "; set --owner back if it was changed, switch a DNSOwner of that id on if it moves here, else claim it: docs/guides/ownership.md";
  if (marker === null)
    return "; without an owner no permit is possible, so take it over with zonekeeper ownership adopt";
  if (rules.noPermits !== undefined)
    return `; it cannot be claimed in this zone: ${rules.noPermits}`;
  const resource = resourceOf(desired.provenance);
  if (permit?.trouble === "unsigned")
    return "; its permit is not signed, and this instance requires signatures";
  if (permit?.trouble === "forged")
    return "; the signature of its permit fits none of our keys: give both instances the same --marker-signing-keys-file";
  return `; the claim waits for a permit: annotate the object of that record with permit-claim-by-resource "${resource}" and permit-claim-by-owner "${ownerOf(desired, rules)}"`;
}

/**
 * True when the owner of the record is the one that the object of `desired` permits to claim it.
 */
export function isOwnedByPermitted(
  { transfer }: DesiredRecordSet,
  { marker }: OwnedRecordSet,
): boolean {
  const permit = transfer?.permit ?? null;
  return permit !== null && marker !== null && permit.owner === marker.owner;
}

function ownerOf(desired: DesiredRecordSet, { mainOwner }: Pick<PlanRules, "mainOwner">): string {
  return desired.owner ?? mainOwner;
}
