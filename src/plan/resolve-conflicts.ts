/**
 * Who gets a name when several objects want it (Z-15). One pass in the order of rank: each wanted
 * record set is accepted unless one that ranks before it stands in its way, so the first object
 * decides the name's kind.
 */
import { objectKeyText, type Provenance, resourceOf } from "../model/provenance.ts";
import { compareKeys, type DesiredRecordSet } from "../model/record-set.ts";
import type { Hold } from "./changes.ts";
import { mayCoexist } from "./coexistence.ts";
import { type ConflictScene, type Ranked, ranked } from "./conflict-order.ts";
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
export function resolve(desired: readonly DesiredRecordSet[], scene: ConflictScene): Resolved {
  // Nearly every name is wanted once, and then nobody stands in the way.
  if (desired.length < 2) return { winners: desired, holds: [] };
  const winners: DesiredRecordSet[] = [];
  const holds: Hold[] = [];
  for (const { want, rival } of contest(desired, scene)) {
    if (rival === null) winners.push(want);
    else holds.push(superseded(want, rival.want, scene.rules));
  }
  return { winners: winners.sort(compareKeys), holds };
}

/** One wanted set in the contest. */
export interface Contestant extends Ranked {
  /** The accepted one that stands in its way; null = it is accepted itself. */
  readonly rival: Ranked | null;
}

/** Every wanted set in the order of rank, with the one that it gives way to. */
export function contest(
  desired: readonly DesiredRecordSet[],
  scene: ConflictScene,
): readonly Contestant[] {
  const accepted: Ranked[] = [];
  return ranked(desired, scene).map((row) => {
    const rival = accepted.find((other) => !mayCoexist(other.want, row.want)) ?? null;
    if (rival === null) accepted.push(row);
    return {
      want: row.want,
      isPermitted: row.isPermitted,
      incumbency: row.incumbency,
      cluster: row.cluster,
      object: row.object,
      rival,
    };
  });
}

function superseded(
  want: DesiredRecordSet,
  winner: DesiredRecordSet,
  rules: ConflictScene["rules"],
): Hold {
  const who = sameObject(want.provenance, winner.provenance)
    ? "the same object"
    : objectText(winner.provenance, want.provenance, rules);
  return holdAt(want, {
    code: "Superseded",
    message: `${who} has the name with ${winner.type} ${winner.values.join(", ")}`,
    provenance: want.provenance,
  });
}

/**
 * `service/default/web` as `beside` is told about it; the cluster is said only where there are
 * several, for its id may be a bare UID.
 */
export function objectText(
  object: Provenance,
  beside: Provenance,
  { clusterRank }: Pick<PlanRules, "clusterRank">,
): string {
  const clusters = [beside.cluster, ...Object.keys(clusterRank)];
  const isAlone = clusters.every((cluster) => cluster === object.cluster);
  return isAlone ? resourceOf(object) : `${resourceOf(object)} of cluster ${object.cluster}`;
}

function sameObject(a: Provenance, b: Provenance): boolean {
  return objectKeyText(a) === objectKeyText(b);
}
