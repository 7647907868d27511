/**
 * Facts from the plan of a name about a record set of ours at whose key no desired record set won,
 * gathered once. What the facts mean is in table.ts. The object of the record set is the one in its
 * marker; winners are the desired record sets that got the name. Pure.
 */
import { isMarkOf, type Provenance } from "../../model/provenance.ts";
import { type DesiredRecordSet, isSameKey } from "../../model/record-set.ts";
import { type Marker, ORDERED_PROOFS, type OwnedRecordSet } from "../changes.ts";
import { canSubstitute, mayCoexist } from "../coexistence.ts";
import type { UnwantedContext } from "../name-context.ts";
import { isPending } from "../pending.ts";
import { ANY_TYPE, isMarkedForExternalDnsOnly, type Marked, undesiredForeign } from "../rights.ts";
import { type AbsenceVerdict, absenceOf, type PlanRules } from "../rules.ts";
import { isOfTenant, isSameRecord } from "../tenants.ts";

/** The facts of one record set. */
export interface RecordFacts {
  readonly one: Marked;
  /** Its object wants this key, and another object has the name. */
  readonly isWanted: boolean;
  /** Its object wants a record set instead that is held, or lost the name to another object. */
  readonly isReplacementHeld: boolean;
  /**
   * Its object wants this key in a form that is refused; or its object is gone, and another one of
   * the same tenant (namespace) does.
   */
  readonly isRefused: boolean;
  /** Filters of names leave its name out, and no person ordered its removal. */
  readonly isLeftOut: boolean;
  /** Whether it is proven that no object wants it, in view of what is published at the name. */
  readonly absence: AbsenceVerdict;
  readonly policy: PlanRules["policy"];
  readonly isManaged: boolean;
  /** Values in it that its marker does not name as ours. */
  readonly foreignValues: readonly string[];
  /** An unmarked record at the name that external-dns would read its marker for; null = none. */
  readonly readAsMarked: OwnedRecordSet | null;
}

/** Gathers the facts of `one`. */
export function recordFacts(one: Marked, context: UnwantedContext): RecordFacts {
  const { held, refused, contenders, rules } = context;
  const isAtKey = (desired: DesiredRecordSet) => isSameKey(one, desired);
  const isOfObject = ({ provenance }: DesiredRecordSet) => mayBeFor(one.marker, provenance);
  const waiting = /* clause: losers-keep-members */ held.concat(losersOf(one, context));
  const absence = absenceAtName(one, context);
  // A record whose object is gone can pass only to another object of the same tenant.
  const isHeir = ({ provenance }: DesiredRecordSet) =>
    absence.proven &&
    /* clause: refused-heir-is-of-the-tenant */ isOfTenant(one.marker, provenance);
  return {
    one,
    isWanted: contenders.some((desired) => isAtKey(desired) && isOfObject(desired)),
    isReplacementHeld: waiting.some(
      (desired) => excludes(one, desired, rules) && isOfObject(desired),
    ),
    isRefused: refused.some(
      (desired) => isAtKey(desired) && (isOfObject(desired) || isHeir(desired)),
    ),
    isLeftOut:
      rules.isOutOfScope === true && !(absence.proven && ORDERED_PROOFS.has(absence.proof)),
    absence,
    policy: rules.policy,
    isManaged: one.data === null || rules.managedTypes.has(one.type),
    foreignValues: undesiredForeign(one, null),
    readAsMarked: readAsMarked(one, context),
  };
}

/** True when the data of the record set cannot stand beside this one. */
export function excludes({ data }: Marked, desired: DesiredRecordSet, rules: PlanRules): boolean {
  return data !== null && !mayCoexist(data, desired, rules.answers);
}

/**
 * Desired record sets that lost the name to other objects; none where a winner of the object in the
 * marker answers in place of this record.
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

/**
 * The verdict of ABSENCE (table.ts). Where only objects of another account want the name
 * (`unlessAnswered`), the record is kept only while it is the last answer there.
 */
function absenceAtName(one: Marked, context: UnwantedContext): AbsenceVerdict {
  const absence = absenceOf(context.rules, one);
  if (absence.proven || absence.unlessAnswered === undefined) return absence;
  const { own, created, winners } = context;
  const isPublished = (winner: DesiredRecordSet): boolean =>
    own.some((each) => each.data !== null && isSameKey(each, winner));
  const published = created.concat(winners.filter(isPublished));
  const isAnswered = published.some(({ type }) => canSubstitute(type, one.type));
  // clause: answered-by-another-account
  return isAnswered ? { proven: true, proof: absence.unlessAnswered } : absence;
}

/**
 * External-dns reads only a marker that names no type and has no data as that of another record
 * (ADR 0023). A marker in the middle of a sequence of writes lists its own data.
 */
function readAsMarked(
  { type, marker }: Marked,
  { current, rules }: UnwantedContext,
): OwnedRecordSet | null {
  if (type !== ANY_TYPE || marker.format !== undefined || isPending(marker.labels)) return null;
  // The name servers of the zone itself are no delegation.
  const isServer = (other: OwnedRecordSet): boolean =>
    other.type === "NS" && rules.delegatedAt === null;
  const isRead = (other: OwnedRecordSet): boolean =>
    other.marker === null && isMarkedForExternalDnsOnly(other) && !isServer(other);
  return current.find(isRead) ?? null;
}
