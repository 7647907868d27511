/**
 * Decides which objects get a name that several objects want (Z-15). One pass in the order of rank:
 * a desired record set wins unless it cannot coexist with an earlier winner. So the first object
 * decides between CNAME and addresses.
 */
import { objectKeyText, type Provenance, resourceOf } from "../model/provenance.ts";
import { compareKeys, type DesiredRecordSet } from "../model/record-set.ts";
import type { Hold } from "./changes.ts";
import { mayCoexist } from "./coexistence.ts";
import { type ConflictContext, type Ranked, rankDesired } from "./conflict-order.ts";
import { holdAt } from "./hold-at.ts";
import type { PlanRules } from "./rules.ts";

/**
 * Winners can all coexist, sorted by key. Each other desired record set has a hold that names the
 * winner in its way.
 */
export interface Resolved {
  readonly winners: readonly DesiredRecordSet[];
  readonly holds: readonly Hold[];
}

/** Settles all conflicts at one name. The order of `desired` does not matter. */
export function resolveConflicts(
  desired: readonly DesiredRecordSet[],
  context: ConflictContext,
): Resolved {
  // Nearly every name is wanted by one object, which wins.
  if (desired.length < 2) return { winners: desired, holds: [] };
  const winners: DesiredRecordSet[] = [];
  const holds: Hold[] = [];
  for (const { desired: contender, winner } of rankContestants(desired, context)) {
    if (winner === null) winners.push(contender);
    else holds.push(holdSuperseded(contender, winner.desired, context.rules));
  }
  return { winners: winners.sort(compareKeys), holds };
}

/** One desired record set with its rank and the winner in its way. */
export interface Contestant extends Ranked {
  /** The winner that it cannot coexist with; null = it wins itself. */
  readonly winner: Ranked | null;
}

/** Every desired record set in the order of rank, each with the winner in its way. */
export function rankContestants(
  desired: readonly DesiredRecordSet[],
  context: ConflictContext,
): readonly Contestant[] {
  const accepted: Ranked[] = [];
  return rankDesired(desired, context).map((row) => {
    const winner = accepted.find((other) => !mayCoexist(other.desired, row.desired)) ?? null;
    if (winner === null) accepted.push(row);
    return {
      desired: row.desired,
      isPermitted: row.isPermitted,
      incumbency: row.incumbency,
      cluster: row.cluster,
      object: row.object,
      winner,
    };
  });
}

function holdSuperseded(
  desired: DesiredRecordSet,
  winner: DesiredRecordSet,
  rules: ConflictContext["rules"],
): Hold {
  const isSame = isSameObject(desired.provenance, winner.provenance);
  const who = isSame ? "the same object" : objectText(winner.provenance, desired.provenance, rules);
  const remedy = isSame ? "remove one of the two" : "remove the name from one of the two";
  return holdAt(desired, {
    code: "Superseded",
    message: `${who} has the name with ${winner.type} ${winner.values.join(", ")}; ${remedy}`,
    provenance: desired.provenance,
  });
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

function isSameObject(a: Provenance, b: Provenance): boolean {
  return objectKeyText(a) === objectKeyText(b);
}
