/**
 * Who may take over what somebody else holds: by the holder's permit, or by an order of a person
 * (DESIGN §6, SAFETY Z-13, Z-15). A permit gives no right before the marker has moved: nothing here
 * allows to write or remove data.
 */
import { matchesResource, objectKeyOf, resourceOf } from "../model/provenance.ts";
import { type DesiredRecordSet, recordSetKeyText } from "../model/record-set.ts";
import type { PermitRequest, TransferRequest } from "../model/transfer-request.ts";
import type { KeyChange, Marker, OwnedRecordSet, PermitRecord } from "./changes.ts";
import { isPending } from "./pending.ts";
import { isOwnedByUs, type Marked, markerNamesObject } from "./rights.ts";
import type { PlanRules } from "./rules.ts";

/** What decides about claims. */
export interface ClaimContext {
  /** Every wish that takes part. */
  readonly contenders: readonly DesiredRecordSet[];
  readonly current: readonly OwnedRecordSet[];
  readonly rules: Pick<PlanRules, "owners" | "mainOwner" | "orders" | "noPermits">;
}

/**
 * True when the present holder of a record set at the name lets the object of `wish` have it
 * (Z-15).
 */
export function isPermittedClaim(desired: DesiredRecordSet, context: ClaimContext): boolean {
  const { current, rules } = context;
  return current.some(
    (one) => isPermittedByHolder(desired, one, context) || mayTakeOver(one, desired, rules),
  );
}

/** One of our own objects holds `one`, and permits the object of `wish` to claim it. */
export function isPermittedByHolder(
  desired: DesiredRecordSet,
  one: OwnedRecordSet,
  { contenders, rules }: ClaimContext,
): boolean {
  if (desired.transfer?.claim !== true || !isOwnedByUs(one, rules)) return false;
  const owner = ownerOf(desired, rules);
  return contenders.some((holder) => {
    const permit = holder.transfer?.permit ?? null;
    if (permit === null || !markerNamesObject(one.marker, holder.provenance)) return false;
    return isPermitFor(permit, desired) && (permit.owner ?? one.marker.owner) === owner;
  });
}

/**
 * Another owner holds this very key, and lets the object of `wish` have it, or a person has ordered
 * it.
 */
export function mayTakeOver(
  current: OwnedRecordSet,
  desired: DesiredRecordSet,
  rules: ClaimContext["rules"],
): current is Marked {
  if (current.data === null || current.marker === null) return false;
  if (current.contested) return ownerToEnd(current, desired, rules) !== null;
  if (current.marker.trouble !== undefined || current.marker.format !== undefined) return false;
  if (rules.owners.has(current.marker.owner) || isPending(current.marker.labels)) return false;
  if (recordSetKeyText(current) !== recordSetKeyText(desired)) return false;
  return isTransferOrdered(current.marker, desired, rules) || isClaimable(current, desired, rules);
}

/**
 * The one owner who contests a key with the owner id of the wish, when a person ordered that this
 * claim ends: what is left of a transfer that moved some of a record's markers. Null = nobody
 * ordered it, or others contest the key as well.
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
  const other = onlyOtherOwner(current, ownerOf(desired, rules));
  return other === order.ends ? other : null;
}

/**
 * The one who claims it with this owner; null = nobody does, or several, or that one does not claim
 * it.
 */
function onlyOtherOwner({ owners = [] }: OwnedRecordSet, owner: string): string | null {
  const [other, ...more] = owners.filter((one) => one !== owner);
  return other !== undefined && more.length === 0 && owners.includes(owner) ? other : null;
}

function isClaimable(
  { permit, marker }: OwnedRecordSet,
  desired: DesiredRecordSet,
  rules: ClaimContext["rules"],
): boolean {
  if (rules.noPermits !== undefined) return false;
  if (permit === undefined || permit.trouble !== undefined) return false;
  if (desired.transfer?.claim !== true) return false;
  if (permit.owner !== marker?.owner || permit.toOwner !== ownerOf(desired, rules)) return false;
  return matchesResource(permit.toResource, desired.provenance);
}

function isTransferOrdered(
  marker: Marker,
  desired: DesiredRecordSet,
  rules: ClaimContext["rules"],
): boolean {
  const order = rules.orders?.get(recordSetKeyText(desired));
  return order?.is === "transfer" && order.marker === markerState(marker);
}

/** The exact present state of a marker, for orders: what a person saw must still stand. */
export function markerState({ record, labels }: Marker): string {
  return JSON.stringify(record?.values ?? labels);
}

/** A change of rights alone. */
type RightsDifference = Required<Pick<KeyChange, "permit" | "reason">>;

/**
 * The permit that is still to be given at a key of ours whose record and marker are as wanted; null
 * = none is.
 */
export function permitDifference(
  desired: DesiredRecordSet,
  current: Marked,
  rules: Pick<PlanRules, "owners">,
): RightsDifference | null {
  const wanted = permitToOtherOwner(desired.transfer, rules);
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

/**
 * Why the permit that the object of `wish` wants cannot be given here; null = it can, or none is
 * wanted.
 */
export function permitRefusal(
  desired: DesiredRecordSet,
  rules: Pick<PlanRules, "owners" | "noPermits">,
): string | null {
  if (rules.noPermits === undefined || permitToOtherOwner(desired.transfer, rules) === null)
    return null;
  return `the record stands, but nobody else may claim it: ${rules.noPermits}`;
}

/**
 * True when an object that says `transfer` gives the very permit that stands; its form may be
 * outdated.
 */
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

/**
 * Null where the permit stays in one group of instances: then the order of conflicts is enough
 * (Z-15).
 */
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
  const object = objectKeyOf(wanted.resource, null);
  if (permit.owner !== marker.owner || permit.toOwner !== wanted.owner) return false;
  return object !== null && matchesResource(permit.toResource, object);
}

/**
 * Permits of ours that were left behind where we hold nothing: each goes alone, by the one who gave
 * it.
 */
export function removeStalePermits(
  current: readonly OwnedRecordSet[],
  rules: Pick<PlanRules, "owners">,
): readonly KeyChange[] {
  const isStale = ({ permit, marker }: OwnedRecordSet): boolean =>
    permit !== undefined &&
    rules.owners.has(permit.owner) &&
    (marker === null || !rules.owners.has(marker.owner));
  return current.filter(isStale).map((one) => ({
    key: { name: one.name, type: one.type, setIdentifier: one.setIdentifier },
    current: one,
    desired: null,
    change: null,
    marker: null,
    permit: { is: "tidied" },
    reason: { code: "PermitTidied", message: "the record is not ours any more" },
    proof: null,
  }));
}

/**
 * Rights before data, and data before new rights: a permit that is taken back goes at once and
 * alone, and one that is given waits until nothing else is to do at the name, so that trouble with
 * either never holds up the other.
 */
export function putPermitsInOrder(changes: readonly KeyChange[]): readonly KeyChange[] {
  if (changes.every(({ permit }) => permit === undefined)) return changes;
  const isRemoved = ({ permit }: KeyChange) =>
    permit?.is === "withdrawn" || permit?.is === "tidied";
  // A removal takes its permit along.
  const isRightsOnly = ({ permit }: KeyChange) =>
    permit?.is === "tidied" || (permit?.is === "withdrawn" && permit.alone === true);
  const taken = changes.filter((one) => isRemoved(one) && isRightsOnly(one));
  if (taken.length > 0) return taken;
  const others = changes.filter(({ permit }) => permit?.is !== "given");
  return others.length > 0 ? others : changes;
}

/** What a claim to what `current` holds waits for, for its author; empty without a claim. */
export function claimAdvice(
  desired: DesiredRecordSet,
  { marker, permit }: OwnedRecordSet,
  rules: ClaimContext["rules"],
): string {
  if (desired.transfer?.claim !== true) return "";
  if (marker === null)
    return "; nobody can permit to claim it: zonekeeper ownership adopt takes it over";
  if (rules.noPermits !== undefined)
    return `; it cannot be claimed from another owner here: ${rules.noPermits}`;
  const resource = resourceOf(desired.provenance);
  if (permit?.trouble === "unsigned")
    return "; the permit that stands is not signed, and this instance requires signatures";
  if (permit?.trouble === "forged")
    return "; the permit that stands is not signed with a key of ours: both instances need the same keys (--marker-signing-keys-file)";
  return `; its claim waits for a permit of the holder: permit-claim-by-resource "${resource}" and permit-claim-by-owner "${ownerOf(desired, rules)}" on the object that holds it`;
}

/** True when somebody has the record whom the object of `wish` permits to have it. */
export function isOwnedByPermitted(
  { transfer }: DesiredRecordSet,
  { marker }: OwnedRecordSet,
): boolean {
  const permit = transfer?.permit ?? null;
  return permit !== null && marker !== null && permit.owner === marker.owner;
}

function isPermitFor(permit: PermitRequest, desired: DesiredRecordSet): boolean {
  return permit.resource === resourceOf(desired.provenance);
}

function ownerOf(desired: DesiredRecordSet, { mainOwner }: Pick<PlanRules, "mainOwner">): string {
  return desired.owner ?? mainOwner;
}
