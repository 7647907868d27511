/**
 * Who gets a name when several objects want it (Z-15). One pass in the order of rank: each wanted
 * record set is accepted unless one that ranks before it stands in its way, so the first object
 * decides the name's kind.
 */
import { objectKeyText, type Provenance, resourceOf } from "../model/provenance.ts";
import { compareKeys, type DesiredRecordSet } from "../model/record-set.ts";
import type { Hold } from "./changes.ts";
import { mayCoexist } from "./coexistence.ts";
import { type ConflictContext, type Ranked, rankDesired } from "./conflict-order.ts";
import { holdAt } from "./hold-reasons.ts";
import type { PlanRules } from "./rules.ts";

/**
 * Winners may all stand together, sorted by key; every other wanted set has a hold that names its
 * winner.
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
  // Nearly every name is wanted once, and then nobody stands in the way.
  if (desired.length < 2) return { winners: desired, holds: [] };
  const winners: DesiredRecordSet[] = [];
  const holds: Hold[] = [];
  for (const { desired: contender, winner } of rankContestants(desired, context)) {
    if (winner === null) winners.push(contender);
    else holds.push(holdSuperseded(contender, winner.desired, context.rules));
  }
  return { winners: winners.sort(compareKeys), holds };
}

/** One wanted set in the contest. */
export interface Contestant extends Ranked {
  /** The accepted one that stands in its way; null = it is accepted itself. */
  readonly winner: Ranked | null;
}

/** Every wanted set in the order of rank, with the one that it gives way to. */
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
  const who = isSameObject(desired.provenance, winner.provenance)
    ? "the same object"
    : objectText(winner.provenance, desired.provenance, rules);
  return holdAt(desired, {
    code: "Superseded",
    message: `${who} has the name with ${winner.type} ${winner.values.join(", ")}`,
    provenance: desired.provenance,
  });
}

/**
 * `service/default/web` as `beside` is told about it; the cluster is said only where there are
 * several, for its id may be a bare UID.
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
