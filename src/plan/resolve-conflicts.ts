/**
 * Decides which objects get a name that several objects want (Z-15, Z-28). One pass in the order of
 * rank (conflict-order.ts): a desired record set wins unless it cannot coexist with an earlier
 * winner, or an earlier winner is of another tenant (a namespace of a cluster). So the first object
 * decides between CNAME and addresses.
 */
import { isSameObject, type Provenance, resourceOf } from "../model/provenance.ts";
import { compareKeys, type DesiredRecordSet, isSameKey } from "../model/record-set.ts";
import type { Hold, NamePlan } from "./changes.ts";
import { mayCoexist } from "./coexistence.ts";
import { type ConflictContext, type Ranked, rankDesired } from "./conflict-order.ts";
import { type HoldCause, holdFor } from "./hold-at.ts";
import type { HoldCode } from "./hold-reasons.ts";
import { type Decision, isChange, isHold } from "./name-context.ts";
import type { PlanRules } from "./rules.ts";
import {
  holdingOf,
  isAddress,
  isSameRecord,
  mayShareName,
  ONE_TENANT,
  sharingAdvice,
} from "./tenants.ts";

/**
 * Winners can all coexist, sorted by key. Each other desired record set has a hold that names the
 * winner in its way, or wants what a winner wants.
 */
export interface Resolved {
  readonly winners: readonly DesiredRecordSet[];
  readonly holds: readonly Hold[];
  readonly sharers: readonly Sharer[];
}

/** A desired record set that equals a winner: one record serves both objects. */
export interface Sharer {
  readonly desired: DesiredRecordSet;
  readonly winner: DesiredRecordSet;
}

/** Settles all conflicts at one name. The order of `desired` does not matter. */
export function resolveConflicts(
  desired: readonly DesiredRecordSet[],
  context: ConflictContext,
): Resolved {
  // Nearly every name is wanted by one object, which wins.
  if (desired.length < 2) return { winners: desired, holds: [], sharers: [] };
  const winners: DesiredRecordSet[] = [];
  const holds: Hold[] = [];
  const sharers: Sharer[] = [];
  for (const { desired: contender, winner } of rankContestants(desired, context)) {
    if (winner === null) winners.push(contender);
    else if (/* clause: equal-data-is-no-conflict */ isSameRecord(winner.desired, contender)) {
      if (!isSameObject(contender.provenance, winner.desired.provenance))
        sharers.push({ desired: contender, winner: winner.desired });
    } else holds.push(holdBehind(contender, winner.desired, context.rules));
  }
  return { winners: winners.sort(compareKeys), holds, sharers };
}

/** One desired record set with its rank and the winner in its way. */
export interface Contestant extends Ranked {
  /** The winner that it cannot coexist with, or whose name it may not share; null = it wins. */
  readonly winner: Ranked | null;
}

/** Every desired record set in the order of rank, each with the winner in its way. */
export function rankContestants(
  desired: readonly DesiredRecordSet[],
  context: ConflictContext,
): readonly Contestant[] {
  const { answers } = context.rules;
  const accepted: Ranked[] = [];
  return rankDesired(desired, context).map((row) => {
    const winner =
      accepted.find((other) => !mayCoexist(other.desired, row.desired, answers)) ??
      /* clause: first-winner-has-the-name */ holderBefore(row, accepted, context.rules);
    if (winner === null) accepted.push(row);
    return { ...row, winner };
  });
}

/**
 * The winner that took the name before, if it is another tenant's (Z-28): for an address the first
 * one with an address. A record that exists for the object stays: it is older than its neighbour,
 * or than this rule.
 */
function holderBefore(
  row: Ranked,
  accepted: readonly Ranked[],
  rules: ConflictContext["rules"],
): Ranked | null {
  // clause: incumbent-stays
  if (row.incumbency === 0) return null;
  const addresses = isAddress(row.desired)
    ? accepted.filter(({ desired }) => isAddress(desired))
    : [];
  const holder = addresses[0] ?? accepted[0] ?? null;
  return holder === null || maySharePair(holder.desired, row.desired, rules) ? null : holder;
}

function maySharePair(
  a: DesiredRecordSet,
  b: DesiredRecordSet,
  { mainOwner, tenancy = ONE_TENANT }: ConflictContext["rules"],
): boolean {
  return mayShareName(holdingOf(a, mainOwner), holdingOf(b, mainOwner), tenancy);
}

/** One tenant's objects supersede each other; another tenant finds the name taken (Z-28). */
function holdBehind(
  desired: DesiredRecordSet,
  winner: DesiredRecordSet,
  rules: ConflictContext["rules"],
): Hold {
  const { provenance } = desired;
  const who = objectText(winner.provenance, provenance, rules);
  const record = `${winner.type} ${winner.values.join(", ")}`;
  if (!maySharePair(winner, desired, rules))
    return holdFor(
      desired,
      "NameTaken",
      `${who} has the name with ${record}, and a name has one namespace; ${sharingAdvice(who, provenance)}`,
    );
  if (isOtherKind(winner, desired))
    return holdFor(
      desired,
      "RoutingPolicyConflict",
      `${who} gives the name the routing policy ${winner.routingPolicy?.type ?? "none"}, and a name has one kind; use it here, too, or change all its members`,
    );
  const isSame = isSameObject(provenance, winner.provenance);
  const remedy = isSame ? "remove one of the two" : "remove the name from one of the two";
  const message = `${isSame ? "the same object" : who} has the name with ${record}; ${remedy}`;
  return holdFor(desired, "Superseded", message);
}

/** Only their kinds of policy keep two record sets of a name apart. */
function isOtherKind(winner: DesiredRecordSet, desired: DesiredRecordSet): boolean {
  return (
    winner.type === desired.type &&
    winner.setIdentifier !== desired.setIdentifier &&
    winner.routingPolicy?.type !== desired.routingPolicy?.type
  );
}

/**
 * The hold of an object whose record is another one's, with equal data. It is no trouble of that
 * object once the record exists; until then both wait for the same. When the first object goes, the
 * marker passes on.
 */
export function holdSharer(
  { desired, winner }: Sharer,
  decision: Decision,
  rules: ConflictContext["rules"],
): Hold {
  const { provenance } = desired;
  const who = objectText(winner.provenance, provenance, rules);
  if (decision === null || (isChange(decision) && decision.change === null))
    return holdFor(
      desired,
      "SharedRecord",
      `also wanted by ${who}, with equal data; the record has that object's marker`,
    );
  const held: HoldCause = isHold(decision)
    ? decision
    : { code: SHARED_WAITS, message: BEING_WRITTEN };
  const message = `${held.message}; ${who} wants equal data and comes first`;
  return holdFor(desired, held.code, message);
}

const SHARED_WAITS = "SharedWaits";
const BEING_WRITTEN = "the record is being written";
/** Codes of holds that only say which object comes first at the name. */
export const BEHIND: ReadonlySet<HoldCode> = new Set<HoldCode>([
  "Superseded",
  "RoutingPolicyConflict",
  "NameTaken",
  "SharedRecord",
  SHARED_WAITS,
]);

/**
 * The plan after a guard or the registry held the change of a winner: the holds `SharedWaits` of
 * objects with equal data get the code and the message of that hold.
 */
export function tellSharers(plan: NamePlan): NamePlan {
  const causeOf = ({ code, key }: Hold): Hold | undefined =>
    code === SHARED_WAITS
      ? plan.holds.find((one) => isSameKey(one.key, key) && !BEHIND.has(one.code))
      : undefined;
  const holds = plan.holds.map((hold) => {
    const cause = causeOf(hold);
    if (cause === undefined) return hold;
    const message = hold.message.replace(BEING_WRITTEN, () => cause.message);
    return { ...hold, code: cause.code, message };
  });
  return { ...plan, holds };
}

/**
 * `service/default/web`, for a message to the object `reader`. The cluster is added only if there
 * are several, because its id can be a bare UID.
 */
export function objectText(
  object: Provenance,
  reader: Provenance,
  { clusterRank }: Pick<PlanRules, "clusterRank">,
): string {
  const clusters = [reader.cluster, ...Object.keys(clusterRank)];
  const isOneCluster = clusters.every((cluster) => cluster === object.cluster);
  return isOneCluster ? resourceOf(object) : `${resourceOf(object)} of cluster ${object.cluster}`;
}
