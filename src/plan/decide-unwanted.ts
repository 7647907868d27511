/**
 * Decides about record sets of ours that no winner wants: removed with a proof of absence, kept
 * otherwise (Z-2). Foreign records are never removed.
 *
 *   release requested ────────────────────────► the marker is removed, the data stays
 *   in the way of a winner that is created ───► removed (TypeChanged)
 *   still wanted by its object, but held ─────► kept
 *   absence of its object not proven ─────────► kept, with a hold that says why
 *   absence proven, but not removable ────────► kept, with a hold (PolicyForbids, MarkerShared …)
 *   absence proven ───────────────────────────► removed (NotWanted)
 *
 * A removed record is kept after all while its object is left without any answer at the name.
 */
import { isMarkOf, type Provenance } from "../model/provenance.ts";
import {
  type DesiredRecordSet,
  isSameKey,
  plainKey,
  recordSetKeyText,
} from "../model/record-set.ts";
import type { KeyChange, Marker, OwnedRecordSet } from "./changes.ts";
import { permitDifference, permitRefusal } from "./claims.ts";
import { blocksCreate, canSubstitute, mayCoexist } from "./coexistence.ts";
import { type HoldDetail, holdAt } from "./hold-at.ts";
import { type Decision, isChange, type NameContext } from "./name-context.ts";
import { isPending } from "./pending.ts";
import { isReleaseRequested, release } from "./release.ts";
import {
  ANY_TYPE,
  contestText,
  foreignValueText,
  isContestedWithUs,
  isMarkedForExternalDnsOnly,
  isOwnedByUs,
  isShared,
  type Marked,
  objectIn,
  sharedText,
  undesiredForeign,
} from "./rights.ts";
import { type AbsenceVerdict, absenceOf, type PlanRules } from "./rules.ts";
import { isOfTenant, isSameRecord } from "./tenants.ts";
import { transfersFor } from "./transfer-requests.ts";

/** The name, and the decisions about its desired record sets. */
export interface UnwantedContext extends NameContext {
  /**
   * Winners that this plan creates. Records of ours in their way are removed; decide-wanted.ts has
   * checked that they may be.
   */
  readonly created: readonly DesiredRecordSet[];
  /** Winners that are held. Records in their way stay, so that no answer is lost. */
  readonly held: readonly DesiredRecordSet[];
  /** Desired record sets that did not compete; their objects still want these keys. */
  readonly refused: readonly DesiredRecordSet[];
}

/** Decides about every record set of ours without a winner at its key. */
export function decideUnwanted(context: UnwantedContext): readonly Decision[] {
  const { current, winners, rules } = context;
  const isWanted = (one: OwnedRecordSet) =>
    /* clause: winner-desires-the-record */ winners.some((winner) => isSameKey(one, winner));
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
 * Removals that would leave their object without any address at the name, while the new record of
 * the object is held. Example: an entry changes from AAAA to A, and the A is held. Such a record is
 * kept until a replacement exists; SOA and NS at the apex are no replacement.
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
 * True when no remaining type at the name can answer in place of this record set, and its object
 * still wants such an answer. `remaining`: the types at the name once the plan is carried out.
 */
export function mustKeepUntilReplaced(
  { marker, type }: Pick<OwnedRecordSet, "marker" | "type">,
  remaining: readonly string[],
  wanted: readonly DesiredRecordSet[],
): boolean {
  const ofObject = wanted.filter(
    ({ provenance }) => marker !== null && isMarkOf(marker, provenance),
  );
  if (remaining.length === 0) return ofObject.length > 0;
  return (
    !remaining.some((one) => canSubstitute(one, type)) &&
    ofObject.some((one) => canSubstitute(one.type, type))
  );
}

/** A contested record set is never removed; the hold tells the author of its object why. */
function holdContested(one: OwnedRecordSet): Decision {
  const provenance = objectIn(one.marker);
  return holdAt(one, { code: "Contested", message: contestText(one), provenance });
}

/**
 * A marker without data whose record cannot be created, because foreign data or a foreign marker
 * blocks it (Z-10): the marker reserves a key that its object cannot get.
 */
function isBlockedMarker(one: Marked, { current, held, rules }: UnwantedContext): boolean {
  const blocks = (other: OwnedRecordSet): boolean =>
    other.data !== null &&
    !isOwnedByUs(other, rules) &&
    blocksCreate(other.data, { ...one, routingPolicy: null }, rules.answers);
  const isBlocked = rules.blockers?.has(recordSetKeyText(one)) === true || current.some(blocks);
  return one.data === null && isBlocked && held.some((desired) => isSameKey(one, desired));
}

/**
 * A second marker of a record that has a final one: the rest of an interrupted sequence (Z-10), and
 * it can occupy a name that another marker needs (Z-11). It gives no right to the record. It is
 * removed once its object is proven to want nothing at the name.
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
  const excludes = (winner: DesiredRecordSet) =>
    one.data !== null && !mayCoexist(one.data, winner, rules.answers);
  const successor = created.find(excludes);
  if (successor !== undefined)
    return removeRecord(one, "TypeChanged", `the ${successor.type} record of the name replaces it`);
  // An object that changes its type or routing policy and is held keeps its old record. A held
  // record set of another object is no reason to keep it, and no reason to omit the hold: that
  // object may wait for the removal, and the removal for that object (OriginalAlive).
  const isAtKey = (desired: DesiredRecordSet) => isSameKey(one, desired);
  const isOfObject = ({ provenance }: DesiredRecordSet) => mayBeFor(one.marker, provenance);
  // Its object wants the record and another object has the name: the Superseded hold says so.
  if (contenders.some((desired) => isAtKey(desired) && isOfObject(desired))) return null;
  const waiting = /* clause: losers-keep-members */ held.concat(losersOf(one, context));
  if (waiting.some((desired) => excludes(desired) && isOfObject(desired))) return null;
  const absence = absenceAtName(one, context);
  // Whose object goes leaves its record to its own tenant alone.
  const isHeir = ({ provenance }: DesiredRecordSet) =>
    absence.proven &&
    /* clause: refused-heir-is-of-the-tenant */ isOfTenant(one.marker, provenance);
  if (refused.some((desired) => isAtKey(desired) && (isOfObject(desired) || isHeir(desired))))
    return null;
  const provenance = objectIn(one.marker);
  if (!absence.proven)
    return (
      /* clause: object-without-record-permits */ permitOfObject(one, context) ??
      holdAt(one, { code: absence.code, message: absence.message, provenance })
    );
  const hold = removalBlocker(one, rules) ?? untypedMarkerBlocker(one, { current, rules });
  if (hold !== null) return holdAt(one, { ...hold, provenance });
  return {
    ...removeRecord(one, "NotWanted", "no object wants the record any more"),
    proof: absence.proof,
  };
}

/**
 * The missing permit that the object in the marker gives, which has no readable record set here:
 * its spec has a mistake, or another set of controllers has taken it. Null = none is missing.
 */
function permitOfObject(one: Marked, { objectTransfers, rules }: UnwantedContext): Decision {
  if (one.data === null || isPending(one.marker.labels)) return null;
  for (const { object, transfer } of transfersFor(one, objectTransfers)) {
    const refusal = permitRefusal(transfer, rules);
    if (refusal !== null)
      return holdAt(one, { code: "PermitRefused", message: refusal, provenance: object });
    const difference = permitDifference(transfer, one, rules);
    if (difference === null) continue;
    const marker = { owner: one.marker.owner, provenance: object };
    const base = { key: plainKey(one), current: one, desired: null, change: null, proof: null };
    return { ...base, marker, ...difference };
  }
  return null;
}

/**
 * Desired record sets behind those of other objects, unless another one of their object wins, which
 * answers in place of this record.
 */
function losersOf(
  { marker, type }: Marked,
  { contenders, winners }: UnwantedContext,
): readonly DesiredRecordSet[] {
  const isAnswer = (winner: DesiredRecordSet) =>
    canSubstitute(winner.type, type) && mayBeFor(marker, winner.provenance);
  // clause: replaced-member-goes
  if (contenders.length === winners.length || winners.some(isAnswer)) return [];
  const isWon = (desired: DesiredRecordSet) =>
    winners.some((winner) => winner === desired || isSameRecord(winner, desired));
  return contenders.filter((desired) => !isWon(desired));
}

/** True when the marker names the object, or names none and so may be for any object. */
function mayBeFor(marker: Marker, object: Provenance): boolean {
  return marker.resource === null || isMarkOf(marker, object);
}

/** Objects of another account keep a record only while it is the last answer (ADR 0024). */
function absenceAtName(one: Marked, context: UnwantedContext): AbsenceVerdict {
  const absence = absenceOf(context.rules, one);
  if (absence.proven || absence.unlessAnswered === undefined) return absence;
  const isAnswered = publishedWinners(context).some(({ type }) => canSubstitute(type, one.type));
  // clause: answered-by-another-account
  return isAnswered ? { proven: true, proof: absence.unlessAnswered } : absence;
}

/** Winners whose record exists, or is created in this plan. */
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

/** Why a record with a proof of absence may not be removed; null = it may. */
function removalBlocker(one: Marked, rules: PlanRules): Omit<HoldDetail, "provenance"> | null {
  if (rules.policy !== "sync")
    return { code: "PolicyForbids", message: `the policy ${rules.policy} forbids removals` };
  if (one.data !== null && !rules.managedTypes.has(one.type))
    return {
      code: "UnmanagedType",
      message: `Zonekeeper does not manage records of type ${one.type} here`,
    };
  if (isShared(one.marker)) return { code: "MarkerShared", message: sharedText(one.marker) };
  const foreign = undesiredForeign(one, null);
  if (foreign.length === 0) return null;
  return { code: "ForeignValue", message: foreignValueText(one.type, foreign) };
}

/**
 * Why a marker that names no type and has no data is not removed from a name with an unmarked
 * record: external-dns reads it as the marker of that record (ADR 0023). A marker in the middle of
 * a sequence lists its own data. Null = it may be removed.
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
  const message = `the marker at ${markerName} names no type, and external-dns would read it as the marker of ${neighbour.type} ${neighbour.name}, which has none; adopt that record, or remove the marker by hand`;
  return { code: "MarkerAmbiguous", message };
}

/** True for the name servers of the zone itself, which are no delegation. */
function isApexNs({ type }: OwnedRecordSet, { delegatedAt }: PlanRules): boolean {
  return type === "NS" && delegatedAt === null;
}

/** Removes data and marker, or the marker alone where the data is missing (Z-9). */
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
