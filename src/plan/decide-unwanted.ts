/**
 * What stands at the name with our marker and is no longer wanted: removed under proof of absence,
 * kept otherwise (Z-2). Never looks at records that are not ours.
 */
import type { Provenance } from "../model/provenance.ts";
import {
  type DesiredRecordSet,
  isSameKey,
  plainKey,
  recordSetKeyText,
} from "../model/record-set.ts";
import type { KeyChange, Marker, OwnedRecordSet } from "./changes.ts";
import { blocksCreate, canSubstitute, mayCoexist } from "./coexistence.ts";
import { type HoldDetail, holdAt } from "./hold-reasons.ts";
import { type Decision, isChange, type NameContext } from "./name-context.ts";
import { isPending } from "./pending.ts";
import { isReleaseRequested, release } from "./release.ts";
import {
  ANY_TYPE,
  contestText,
  isContestedWithUs,
  isMarkedForExternalDnsOnly,
  isOwnedByUs,
  isShared,
  type Marked,
  markerNamesObject,
  objectIn,
  sharedText,
} from "./rights.ts";
import { type AbsenceVerdict, absenceOf, type PlanRules } from "./rules.ts";

/** The name, and how its wishes fared. */
export interface UnwantedContext extends NameContext {
  /**
   * Winners that are created in this plan: what stands in their way goes, as want.ts has checked.
   */
  readonly created: readonly DesiredRecordSet[];
  /**
   * Winners that could not be written: what stands in their way stays, so that no answer is lost.
   */
  readonly held: readonly DesiredRecordSet[];
  /** Wishes that did not compete: somebody still wants these keys. */
  readonly refused: readonly DesiredRecordSet[];
}

/** Decides about every record set of ours that is no winner's. */
export function decideUnwanted(context: UnwantedContext): readonly Decision[] {
  const { current, winners, rules } = context;
  const isWanted = (one: OwnedRecordSet) => winners.some((winner) => isSameKey(one, winner));
  const decided = current
    .filter((one): one is Marked => isOwnedByUs(one, rules))
    .filter(
      (one) => isBlockedMarker(one, context) || isSecondaryMarker(one, context) || !isWanted(one),
    )
    .map((one) => ({ one, decision: decide(one, context) }));
  const kept = findKeptUntilReplaced(decided, context);
  const ownDecisions = decided.map(({ one, decision }) => (kept.has(one) ? null : decision));
  const contestedSets = current.filter((one) => isContestedWithUs(one, rules) && !isWanted(one));
  return ownDecisions.concat(contestedSets.map(holdContested));
}

/**
 * What would leave the name without an answer, or without an address, although its object still
 * wants one there that cannot be written: an entry that goes from AAAA to A, and A is held. It
 * stays until something else stands, as what is in the way of a held wish does. What is beside it,
 * as SOA and NS are at the apex, is no address.
 */
function findKeptUntilReplaced(
  decided: readonly { readonly one: Marked; readonly decision: Decision }[],
  { current, created, contenders, refused }: UnwantedContext,
): ReadonlySet<OwnedRecordSet> {
  const removed = new Set<OwnedRecordSet>();
  for (const { one, decision } of decided)
    if (isChange(decision) && decision.change?.op === "remove") removed.add(one);
  const remaining = current.filter((one) => one.data !== null && !removed.has(one));
  const types = [...remaining, ...created].map(({ type }) => type);
  const wanted = contenders.concat(refused);
  return new Set([...removed].filter((one) => mustKeepUntilReplaced(one, types, wanted)));
}

/**
 * Nothing is left at the name, or nothing that answers as it does, and its object wants an answer
 * of that sort. `left`: the types that stand beside it in the end.
 */
export function mustKeepUntilReplaced(
  { marker, type }: Pick<OwnedRecordSet, "marker" | "type">,
  remaining: readonly string[],
  wanted: readonly DesiredRecordSet[],
): boolean {
  const ofObject = wanted.filter(
    ({ provenance }) => marker !== null && markerNamesObject(marker, provenance),
  );
  if (remaining.length === 0) return ofObject.length > 0;
  return (
    !remaining.some((one) => canSubstitute(one, type)) &&
    ofObject.some((one) => canSubstitute(one.type, type))
  );
}

/** It would have to go, if it were ours alone: whoever deletes its object is told why it stays. */
function holdContested(one: OwnedRecordSet): Decision {
  const provenance = objectIn(one.marker);
  return holdAt(one, { code: "Contested", message: contestText(one), provenance });
}

/**
 * A marker without data beside foreign data or another marker that bars it (Z-10): it keeps the
 * place for nobody who is to have it.
 */
function isBlockedMarker(one: Marked, { current, held, rules }: UnwantedContext): boolean {
  const blocks = (other: OwnedRecordSet): boolean =>
    other.data !== null &&
    !isOwnedByUs(other, rules) &&
    blocksCreate(other.data, { ...one, routingPolicy: null });
  const isBlocked = rules.blockers?.has(recordSetKeyText(one)) === true || current.some(blocks);
  return one.data === null && isBlocked && held.some((desired) => isSameKey(one, desired));
}

/**
 * A second marker of a record that stands under a final one: what is left of a sequence that was
 * broken off (Z-10), where it may keep a place that another marker needs (Z-11). It has no right to
 * that record, and goes once its object is known to want nothing here.
 */
function isSecondaryMarker(one: Marked, { current, rules }: UnwantedContext): boolean {
  const isFinalOwner = (other: OwnedRecordSet): boolean =>
    other.data !== null &&
    isSameKey(one, other) &&
    isOwnedByUs(other, rules) &&
    !isPending(other.marker.labels);
  return one.data === null && absenceOf(rules, one).proven && current.some(isFinalOwner);
}

function decide(one: Marked, context: UnwantedContext): Decision {
  const { created, held, refused, contenders, current, rules } = context;
  if (isReleaseRequested(one, context)) return release(one);
  const excludes = (winner: DesiredRecordSet) => one.data !== null && !mayCoexist(one.data, winner);
  const successor = created.find(excludes);
  if (successor !== undefined)
    return removeRecord(one, "TypeChanged", `makes room for ${successor.type}`);
  // An object that changes its type and is held keeps what it had. Somebody else's held wish is no
  // reason to keep a record, nor to be silent on why it stays: whoever waits for its end may be
  // what that end waits for (OriginalAlive).
  const isAtKey = (desired: DesiredRecordSet) => isSameKey(one, desired);
  const isOfObject = ({ provenance }: DesiredRecordSet) => mayBeFor(one.marker, provenance);
  // Its object wants it, and another one has the name: the hold of that wish says so.
  if (contenders.some((desired) => isAtKey(desired) && isOfObject(desired))) return null;
  if (held.some((desired) => excludes(desired) && isOfObject(desired))) return null;
  const absence = absenceAtName(one, context);
  if (refused.some((desired) => isAtKey(desired) && (absence.proven || isOfObject(desired))))
    return null;
  const provenance = objectIn(one.marker);
  if (!absence.proven)
    return holdAt(one, { code: absence.code, message: absence.message, provenance });
  const hold = removalBlocker(one, rules) ?? untypedMarkerBlocker(one, { current, rules });
  if (hold !== null) return holdAt(one, { ...hold, provenance });
  return { ...removeRecord(one, "NotWanted", "no object wants it any more"), proof: absence.proof };
}

/** A marker that names no object speaks for whichever wants its record. */
function mayBeFor(marker: Marker, object: Provenance): boolean {
  return marker.resource === null || markerNamesObject(marker, object);
}

/** What others want by another account keeps a record as the last answer only (ADR 0024). */
function absenceAtName(one: Marked, context: UnwantedContext): AbsenceVerdict {
  const absence = absenceOf(context.rules, one);
  if (absence.proven || absence.unlessAnswered === undefined) return absence;
  const isAnswered = publishedWinners(context).some(({ type }) => canSubstitute(type, one.type));
  return isAnswered ? { proven: true, proof: absence.unlessAnswered } : absence;
}

/** Winners that have their record here, or get it in this plan. */
function publishedWinners({
  current,
  created,
  winners,
  rules,
}: UnwantedContext): readonly DesiredRecordSet[] {
  const isPublished = (winner: DesiredRecordSet): boolean =>
    current.some((one) => one.data !== null && isOwnedByUs(one, rules) && isSameKey(one, winner));
  return created.concat(winners.filter(isPublished));
}

/** Why a record of ours stays that nobody wants, as is proven; null = it may go. */
function removalBlocker(one: Marked, rules: PlanRules): Omit<HoldDetail, "provenance"> | null {
  if (rules.policy !== "sync")
    return { code: "PolicyForbids", message: `the policy is ${rules.policy}` };
  if (one.data !== null && !rules.managedTypes.has(one.type))
    return { code: "UnmanagedType", message: `records of type ${one.type} are not managed here` };
  if (isShared(one.marker)) return { code: "MarkerShared", message: sharedText(one.marker) };
  return null;
}

/**
 * Why a marker that names no type, and waits for its data, is not taken from beside a record that
 * nobody marks: external-dns reads it as that record's (ADR 0023). One in the middle of a sequence
 * says itself what it is for. Null = it may go.
 */
function untypedMarkerBlocker(
  one: Marked,
  { current, rules }: Pick<UnwantedContext, "current" | "rules">,
): Omit<HoldDetail, "provenance"> | null {
  const { type, marker } = one;
  if (type !== ANY_TYPE || marker.format !== undefined || isPending(marker.labels)) return null;
  const isReadAsMarked = (other: OwnedRecordSet): boolean =>
    other.marker === null && isMarkedForExternalDnsOnly(other) && !isApexNs(other, rules);
  const neighbour = current.find(isReadAsMarked);
  if (neighbour === undefined) return null;
  const markerName = marker.record?.name ?? one.name;
  const message = `the marker at ${markerName} names no type, and ${neighbour.type} ${neighbour.name} stands beside it without one, which external-dns would take it for: adopt that record if it is to be ours, or remove the marker by hand`;
  return { code: "MarkerAmbiguous", message };
}

/** The name servers of the zone itself: no delegation. */
function isApexNs({ type }: OwnedRecordSet, { delegatedAt }: PlanRules): boolean {
  return type === "NS" && delegatedAt === null;
}

/** A half pair has only its marker to remove (Z-9). */
function removeRecord(one: Marked, code: string, message: string): KeyChange {
  const { data } = one;
  return {
    key: plainKey(one),
    current: one,
    desired: null,
    change: data === null ? null : { op: "remove", previous: data },
    marker: null,
    reason: { code, message },
    proof: null,
    ...(one.permit?.owner === one.marker.owner ? { permit: { is: "withdrawn" } as const } : {}),
  };
}
