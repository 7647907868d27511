/**
 * Decides about record sets of ours that no winner wants (a desired record set that got the name):
 * removed with a proof that no object wants them (proof of absence, Z-2), kept otherwise. Ours are
 * those whose marker has an owner id of ours; foreign records are never removed.
 *
 *   release requested ────────────────────────► the marker is removed, the data stays
 *   in the way of a winner that is created ───► removed (TypeChanged)
 *   a line of removal/table.ts matches ───────► kept, with the hold of that line
 *   none matches: absence is proven ──────────► removed (NotWanted)
 *
 * A removed record is kept after all while its object is left without any answer at the name.
 */

import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { isMarkOf } from "../model/provenance.ts";
import {
  type DesiredRecordSet,
  isSameKey,
  type RecordSet,
  recordSetKeyText,
} from "../model/record-set.ts";
import {
  type AbsenceProof,
  type ChangeReason,
  changeAt,
  type KeyChange,
  type NamePlan,
  type OwnedRecordSet,
  withPermit,
} from "./changes.ts";
import { permitDifference, permitRefusal } from "./claims.ts";
import { blocksCreate, canSubstitute } from "./coexistence.ts";
import { holdAt } from "./hold-at.ts";
import { type Decision, isChange, type UnwantedContext } from "./name-context.ts";
import { isPending } from "./pending.ts";
import { release } from "./release.ts";
import { excludes, recordFacts } from "./removal/record-facts.ts";
import { firstOf } from "./removal/row.ts";
import { RECORD } from "./removal/table.ts";
import { contestText, isContestedWithUs, isOwnedByUs, type Marked, objectIn } from "./rights.ts";
import { absenceOf } from "./rules.ts";
import { transfersFor } from "./transfer-requests.ts";

/** Decides about every record set of ours without a winner at its key. */
export function decideUnwanted(context: UnwantedContext): readonly Decision[] {
  const { current, own, winners, rules } = context;
  const isWanted = (one: OwnedRecordSet) =>
    /* clause: winner-desires-the-record */ winners.some((winner) => isSameKey(one, winner));
  const decided = own
    .filter(
      (one) => isBlockedMarker(one, context) || isSecondaryMarker(one, context) || !isWanted(one),
    )
    .map((one) => ({ one, decision: decide(one, context) }));
  const kept = findKeptUntilReplaced(decided, context);
  const ownDecisions = decided.map(({ one, decision }) => (kept.has(one) ? null : decision));
  const contestedSets = current.filter((one) => isContestedWithUs(one, rules) && !isWanted(one));
  // A contested record set is never removed; the hold tells the author of its object why.
  const contestHolds = contestedSets.map((one) => {
    const provenance = objectIn(one.marker);
    return holdAt(one, { code: "Contested", message: contestText(one), provenance });
  });
  return ownDecisions.concat(contestHolds);
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
function isSecondaryMarker(one: Marked, { own, rules }: UnwantedContext): boolean {
  const isFinalOwner = (other: Marked): boolean =>
    other.data !== null && isSameKey(one, other) && !isPending(other.marker.labels);
  return one.data === null && absenceOf(rules, one).proven && own.some(isFinalOwner);
}

function decide(one: Marked, context: UnwantedContext): Decision {
  const { created, released, rules } = context;
  if (released.includes(one)) return release(one);
  const successor = created.find((winner) => excludes(one, winner, rules));
  if (successor !== undefined)
    return removeRecord(one, {
      code: "TypeChanged",
      message: `the ${successor.type} record of the name replaces it`,
    });
  const facts = recordFacts(one, context);
  const { absence } = facts;
  const kept = firstOf(RECORD, facts);
  if (kept === null)
    return removeRecord(
      one,
      { code: "NotWanted", message: "no object wants the record any more" },
      absence.proven ? absence.proof : null,
    );
  const { code, message } = kept;
  if (code === null) return null;
  return (
    /* clause: object-without-record-permits */ (absence.proven
      ? null
      : permitOfObject(one, context)) ??
    holdAt(one, { code, message, provenance: objectIn(one.marker) })
  );
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
    return changeAt(one, difference.reason, { marker, permit: difference.permit });
  }
  return null;
}

/** Removes data and marker, or the marker alone where the data is missing (Z-9). */
function removeRecord(
  one: Marked,
  reason: ChangeReason,
  proof: AbsenceProof | null = null,
): KeyChange {
  const change = one.data === null ? null : ({ op: "remove", previous: one.data } as const);
  return changeAt(one, reason, { change, proof, ...withPermit(one) });
}

/**
 * The removals with a proof that no object wants the record. Not the last address of an object that
 * still wants a record at the name: it is kept until a replacement exists, as in
 * decide-unwanted.ts. `content`: the zone.
 */
export function selectIndependentRemovals(
  { name, changes }: NamePlan,
  content: { at(name: DnsName): readonly RecordSet[] },
): readonly KeyChange[] {
  const removals = changes.filter(({ proof }) => proof !== null);
  const isRemoved = (set: RecordSet): boolean =>
    removals.some(({ key, change }) => change !== null && isSameKey(key, set));
  const wanted = changes.flatMap(({ desired }) => desired ?? []);
  const isMarker = (set: RecordSet): boolean =>
    changes.some(({ current }) => {
      const record = current?.marker?.record ?? null;
      return record !== null && isSameKey(record, set);
    });
  const remaining = content.at(name).filter((set) => !isRemoved(set) && !isMarker(set));
  const types = remaining.map(({ type }) => type);
  return removals.filter(
    ({ change, current }) =>
      change === null || current === null || !mustKeepUntilReplaced(current, types, wanted),
  );
}
