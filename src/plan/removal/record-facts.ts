/**
 * Facts about a record set of ours without a winner at its key, gathered once. What the
 * facts mean is in table.ts. Pure.
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
  /** Its object wants its key, and another object has the name. */
  readonly isWanted: boolean;
  /** The record set that replaces it is held, or behind the record sets of other objects. */
  readonly isReplacementHeld: boolean;
  /** Its object wants its key, or the next one of its tenant does, in a form that is refused. */
  readonly isRefused: boolean;
  /** Filters of names leave its name out, and no person ordered that it goes. */
  readonly isLeftOut: boolean;
  /** Whether its object is proven to want it no more, in view of what is published at the name. */
  readonly absence: AbsenceVerdict;
  readonly policy: PlanRules["policy"];
  readonly isManaged: boolean;
  /** Values of others in it. */
  readonly foreignValues: readonly string[];
  /** The unmarked record that external-dns would take its marker for; null = there is none. */
  readonly readAsMarked: OwnedRecordSet | null;
}

/** Gathers them. */
export function recordFacts(one: Marked, context: UnwantedContext): RecordFacts {
  const { held, refused, contenders, rules } = context;
  const isAtKey = (desired: DesiredRecordSet) => isSameKey(one, desired);
  const isOfObject = ({ provenance }: DesiredRecordSet) => mayBeFor(one.marker, provenance);
  const waiting = /* clause: losers-keep-members */ held.concat(losersOf(one, context));
  const absence = absenceAtName(one, context);
  // Whose object goes leaves its record to its own tenant alone.
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

/** An object of another account keeps a record only while it is the last answer at the name. */
function absenceAtName(one: Marked, context: UnwantedContext): AbsenceVerdict {
  const absence = absenceOf(context.rules, one);
  if (absence.proven || absence.unlessAnswered === undefined) return absence;
  const isAnswered = publishedWinners(context).some(({ type }) => canSubstitute(type, one.type));
  // clause: answered-by-another-account
  return isAnswered ? { proven: true, proof: absence.unlessAnswered } : absence;
}

/** Winners whose record exists, or is created in this plan. */
function publishedWinners({ own, created, winners }: UnwantedContext): readonly DesiredRecordSet[] {
  const isPublished = (winner: DesiredRecordSet): boolean =>
    own.some((one) => one.data !== null && isSameKey(one, winner));
  return created.concat(winners.filter(isPublished));
}

/**
 * Only a marker that names no type and has no data is read for another record (ADR 0023). A marker
 * in the middle of a sequence lists its own data.
 */
function readAsMarked(
  { type, marker }: Marked,
  { current, rules }: UnwantedContext,
): OwnedRecordSet | null {
  if (type !== ANY_TYPE || marker.format !== undefined || isPending(marker.labels)) return null;
  const isRead = (other: OwnedRecordSet): boolean =>
    other.marker === null && isMarkedForExternalDnsOnly(other) && !isApexNs(other, rules);
  return current.find(isRead) ?? null;
}

/** True for the name servers of the zone itself, which are no delegation. */
function isApexNs({ type }: OwnedRecordSet, { delegatedAt }: PlanRules): boolean {
  return type === "NS" && delegatedAt === null;
}
