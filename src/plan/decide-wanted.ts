/**
 * Decides about one desired record set that won its name: hold it, create it, update it, take it
 * over, or nothing.
 *
 *   at its key: foreign record or marker ──────────────► hold (ForeignRecord, ForeignMarker …)
 *   no record at its key, blocked by another type ─────► hold (ForeignRecord, PolicyForbids …)
 *   no record at its key ──────────────────────────────► create, first the marker (Z-9)
 *   record of ours, not as desired ────────────────────► replace, or write the marker only (Z-21)
 *   record of another owner who permits the claim ─────► take over: the marker only (Z-15)
 *   record without an owner that may be adopted ───────► adopt
 *
 * A marker is the record that states owner and object of a record set: ours has an owner id of
 * ours, and a record set without one, or with another's, is foreign. A foreign record is never
 * written (Z-7). Record sets of ours that no object wants any more: decide-unwanted.ts.
 */
import { isMarkOf, resourceOf } from "../model/provenance.ts";
import {
  type DesiredRecordSet,
  hasSameData,
  isSameKey,
  type RecordSet,
} from "../model/record-set.ts";
import {
  blockerAtName,
  blockerToNewKind,
  describe,
  holdForMarkedObject,
  holdTaken,
} from "./blockers.ts";
import type { ChangeReason, Hold, KeyChange, Marker, OwnedRecordSet } from "./changes.ts";
import {
  claimAdvice,
  isOwnedByPermitted,
  mayTakeOver,
  ownerToEnd,
  permitDifference,
  permitRefusal,
} from "./claims.ts";
import { holdFor } from "./hold-at.ts";
import type { Decision, NameContext } from "./name-context.ts";
import { isNewcomer, isOfMovedObject } from "./newcomer.ts";
import { isPending } from "./pending.ts";
import { decideReleased, release } from "./release.ts";
import {
  ANY_TYPE,
  contestText,
  foreignValueText,
  isMarkedByUntypedMarker,
  isOwnedByUs,
  type Marked,
  mayAdopt,
  ownerText,
  troubleText,
  undesiredForeign,
} from "./rights.ts";
import { absenceOf, type PlanRules } from "./rules.ts";

/** Decides about one winner of resolve-conflicts.ts. */
export function decideWanted(desired: DesiredRecordSet, context: NameContext): Decision {
  const { rules } = context;
  if (desired.transfer?.release === true) return decideReleased(desired, context);
  const blocker = /* clause: foreign-record-blocks-key */ blockerAtKey(desired, context);
  if (blocker !== null) return blocker;
  // Data comes before a marker without data: a pending marker of ours and a foreign record can
  // share one key.
  const atKey = context.current.filter((one) => isSameKey(one, desired));
  const current = atKey.find(hasData) ?? atKey[0] ?? null;
  if (current === null || !hasData(current))
    return (
      blockerAtName(desired, context) ??
      create(desired, /* clause: marker-without-data-is-completed */ current, rules)
    );
  if (isOwnedByUs(current, rules)) {
    // clause: release-on-request
    if (context.released.includes(current)) return release(current);
    return update(desired, current, context);
  }
  if (mayTakeOver(current, desired, rules)) return takeOver(desired, current, rules);
  return (
    /* clause: adopter-shares-the-name */ holdNewcomer(desired, current, context) ??
    adopt(desired, current, rules)
  );
}

/**
 * The hold for an object that would get an existing record of another tenant, or of nobody, while
 * other records of the name belong to another tenant: it needs the right to the whole name.
 */
function holdNewcomer(
  desired: DesiredRecordSet,
  current: ExistingRecordSet,
  context: NameContext,
): Hold | null {
  if (!isNewcomer(desired, current, context)) return null;
  for (const other of context.own) {
    if (other === current || other.data === null) continue;
    const taken = holdTaken(other, desired, context);
    if (taken !== null) return taken;
  }
  return null;
}

/** An owned record set whose data is there. */
type ExistingRecordSet = OwnedRecordSet & { readonly data: RecordSet };

function hasData(one: OwnedRecordSet): one is ExistingRecordSet {
  return one.data !== null;
}

/** The hold for foreign data or a foreign marker at the key; null = ours, free, or adoptable. */
function blockerAtKey(desired: DesiredRecordSet, { current, rules }: NameContext): Hold | null {
  const others = current.filter((one) => appliesTo(one, desired) && !isOwnedByUs(one, rules));
  const other = others.find(
    (one) => !mayAdopt(one, desired, rules) && !mayTakeOver(one, desired, rules),
  );
  if (other === undefined) return null;
  if (other.contested) return holdFor(desired, "Contested", contestText(other));
  const { marker } = other;
  if (marker?.trouble !== undefined) return holdFor(desired, marker.trouble, troubleText(marker));
  if (other.data === null)
    return holdFor(desired, "ForeignMarker", `a marker reserves the name ${ownerText(other)}`);
  const existing = `${describe(other.data)} exists ${ownerText(other)}`;
  if (marker?.format !== undefined) return holdFor(desired, "ForeignMarker", existing);
  if (isOwnedByPermitted(desired, other))
    return holdFor(
      desired,
      "HandedOver",
      `${existing}, as this object permits; this object may be deleted now`,
    );
  const isUnmarked = rules.adoption.mode === "unmarked";
  const advice = isUnmarked ? UNMARKED_ADVICE : claimAdvice(desired, other, rules);
  return holdFor(desired, "ForeignRecord", `${existing}${advice}`);
}

const UNMARKED_ADVICE =
  "; no registry says whose it is: delete it, or name its domain in --noop-owns if all there is yours";

/**
 * True when the record set is at the desired key, or its marker covers that key. A legacy marker
 * without data covers every type but AAAA (external-dns registry, "labels").
 */
function appliesTo(one: OwnedRecordSet, desired: DesiredRecordSet): boolean {
  if (isSameKey(one, desired)) return true;
  if (one.type !== ANY_TYPE) return false;
  const isOther = one.marker?.format !== undefined;
  return isOther ? isMarkedByUntypedMarker(desired.type) : desired.type !== "AAAA";
}

/** The key is free, or has only our marker, which waits for its data (Z-9). */
function create(
  desired: DesiredRecordSet,
  current: OwnedRecordSet | null,
  rules: PlanRules,
): KeyChange {
  const ttl = desired.ttlSeconds ?? desired.ttlOnCreate ?? rules.defaultTtlSeconds;
  const next = toRecordSet(desired, ttl);
  const reason: ChangeReason =
    current === null
      ? { code: "Wanted", message: `${resourceOf(desired.provenance)} wants the record` }
      : { code: "DataMissing", message: "our marker exists without its record" };
  return keyChange({ desired, current, rules }, { change: { op: "create", next }, reason });
}

/** The record is ours: write what differs. Null = data, marker and permit are as desired. */
function update(
  desired: DesiredRecordSet,
  current: Marked & ExistingRecordSet,
  context: NameContext,
): Decision {
  const { rules } = context;
  const difference = differenceOf(desired, current, rules);
  if (difference === null) return decidePermit(desired, current, rules);
  const foreign = /* clause: undesired-value-is-foreign */ undesiredForeign(current, desired);
  // clause: foreign-value-holds
  if (foreign.length > 0 && difference.change !== null)
    return holdFor(desired, "ForeignValue", foreignValueText(desired.type, foreign));
  const wait = holdForOthers({ desired, current, difference }, context);
  if (wait !== null) return wait;
  // create-only makes a write that makes the marker of a create final: it is the last step of that
  // create (Z-10).
  if (rules.policy === "create-only" && difference.change !== null)
    return updateForbidden(desired, difference);
  const isMade = rules.policy !== "create-only" || isPending(current.marker.labels);
  return isMade ? keyChange({ desired, current, rules }, difference) : null;
}

/** The difference. For a record that moved here (ADR 0050) the marker comes first, then the TTL. */
function differenceOf(
  desired: DesiredRecordSet,
  current: Marked & ExistingRecordSet,
  rules: PlanRules,
): Difference | null {
  const data = dataDifference(desired, current.data);
  const isMarkerFirst = data?.reason.code === "TtlChanged" && isMovedHere(current, desired, rules);
  return (isMarkerFirst ? null : data) ?? markerDifference(desired, current.marker, rules);
}

interface Update {
  readonly desired: DesiredRecordSet;
  readonly current: Marked & ExistingRecordSet;
  readonly difference: Difference;
}

/**
 * The hold while another object may want the record, a tenant has its name, or other members keep
 * their kind of routing policy. A record that moved here needs no consent for its new marker.
 */
function holdForOthers({ desired, current, difference }: Update, context: NameContext) {
  const isMoved = difference.change === null && isMovedHere(current, desired, context.rules);
  return (
    (isMoved ? null : holdForMarkedObject(current, desired, context)) ??
    /* clause: newcomer-shares-the-name */ holdNewcomer(desired, current, context) ??
    blockerToNewKind(desired, current.data, context)
  );
}

/**
 * True for a record whose owner id a DNSOwner switched on here: its marker names the same object of
 * a cluster that is not served here, whose installation has given the id up (ADR 0050).
 */
function isMovedHere(current: Marked, desired: DesiredRecordSet, rules: PlanRules): boolean {
  if (!isOfMovedObject(current, desired, rules)) return false;
  const absence = absenceOf(rules, current);
  return !absence.proven && absence.code === "ClusterUnknown";
}

/**
 * The permit that is missing at the key. Only the object in the marker gives permits, and
 * `markerDifference` has checked that. Ended permits are removed in withdraw-permit.ts.
 */
function decidePermit(desired: DesiredRecordSet, current: Marked, rules: PlanRules): Decision {
  const refusal = permitRefusal(desired.transfer, rules);
  if (refusal !== null) return holdFor(desired, "PermitRefused", refusal);
  const difference = permitDifference(desired.transfer, current, rules);
  if (difference === null) return null;
  const { permit, reason } = difference;
  return { ...keyChange({ desired, current, rules }, { change: null, reason }), permit };
}

/**
 * Rewrites the marker and nothing else. The data is updated by a later plan, when the record is
 * ours.
 */
function takeOver(desired: DesiredRecordSet, current: Marked, rules: PlanRules): KeyChange {
  const { marker, permit } = current;
  const ended = ownerToEnd(current, desired, rules);
  const isByPermit = permit !== undefined && permit.owner === marker.owner;
  const change = keyChange(
    { desired, current, rules },
    {
      change: null,
      reason: {
        code: "Transferred",
        message: `${resourceOf(desired.provenance)} takes the record over from the owner "${ended ?? marker.owner}"`,
      },
    },
  );
  if (ended !== null) return { ...change, ends: ended };
  return isByPermit ? { ...change, permit: { is: "used" } } : change;
}

/**
 * An unmarked record becomes ours. Its present values are a precondition of the group
 * (docs/safety.md#adoption).
 */
function adopt(desired: DesiredRecordSet, current: ExistingRecordSet, rules: PlanRules): Decision {
  const difference = dataDifference(desired, current.data);
  if (difference === null && rules.adoption.mode === "unmarked") return null;
  if (difference !== null && rules.policy === "create-only")
    return updateForbidden(desired, difference);
  const reason: ChangeReason = {
    code: "Adopted",
    message: "the adoption rule takes the unmarked record over",
  };
  return keyChange({ desired, current, rules }, { change: difference?.change ?? null, reason });
}

type Difference = Pick<KeyChange, "change" | "reason">;

function updateForbidden(desired: DesiredRecordSet, { reason }: Difference): Hold {
  const message = `the policy create-only forbids this update: ${reason.message}`;
  return holdFor(desired, "PolicyForbids", message);
}

/** Compares the values, then the TTL; no desired TTL equals any (Z-21). */
function dataDifference(desired: DesiredRecordSet, data: RecordSet): Difference | null {
  const next = toRecordSet(desired, desired.ttlSeconds ?? data.ttlSeconds);
  const change = { op: "replace", previous: data, next } as const;
  if (!hasSameData(data, next))
    return { change, reason: { code: "ValueChanged", message: "the values differ" } };
  if (data.ttlSeconds === next.ttlSeconds) return null;
  const message = `the TTL is ${data.ttlSeconds} and not ${next.ttlSeconds}`;
  return { change, reason: { code: "TtlChanged", message } };
}

/**
 * Equal data, but the marker names another object or another owner id of ours, or is not final
 * (Z-10). Null = the marker is as desired.
 */
function markerDifference(
  desired: DesiredRecordSet,
  marker: Marker,
  rules: PlanRules,
): Difference | null {
  if (!isMarkOf(marker, desired.provenance)) {
    const { cluster } = desired.provenance;
    const isOtherCluster = marker.resource === resourceOf(desired.provenance);
    const message = isOtherCluster
      ? `the marker names ${marker.resource} of cluster ${marker.cluster} and not that of ${cluster}`
      : `the marker names ${marker.resource ?? "no object"} and not ${resourceOf(desired.provenance)}`;
    return { change: null, reason: { code: "MarkerOnly", message } };
  }
  const owner = desired.owner ?? rules.mainOwner;
  const isFinal = !isPending(marker.labels);
  const isMain = marker.owner === owner;
  if (isMain && isFinal && marker.hasStaleCopy !== true) return null;
  const message = !isMain
    ? `the owner id is "${marker.owner}" and not "${owner}"`
    : isFinal
      ? "a second marker of the record names another object"
      : "the record is written and its marker is not final yet";
  return { change: null, reason: { code: "MarkerUpdate", message } };
}

/** A desired record set, and the record set at its key. */
interface KeyContext {
  readonly desired: DesiredRecordSet;
  readonly current: OwnedRecordSet | null;
  readonly rules: PlanRules;
}

/**
 * The change of a desired key. One literal: thousands are made at once, and spreads cost more than
 * all the rest.
 */
function keyChange(
  { desired, current, rules }: KeyContext,
  { change, reason }: Difference,
): KeyChange {
  const { name, type, setIdentifier, provenance } = desired;
  return {
    key: { name, type, setIdentifier },
    current,
    desired,
    change,
    marker: { owner: desired.owner ?? rules.mainOwner, provenance },
    reason,
    proof: null,
  };
}

/** The desired record set with its final TTL. */
function toRecordSet(desired: DesiredRecordSet, ttlSeconds: number): RecordSet {
  const { name, type, setIdentifier, values, properties, routingPolicy } = desired;
  return { name, type, setIdentifier, ttlSeconds, values, properties, routingPolicy };
}
