/**
 * Who gets a name when several objects want it (Z-15). One pass in the order of rank: each wanted record set is
 * accepted unless one that ranks before it stands in its way, so the first object decides the name's kind.
 */
import { compareText } from "../model/dns-name.ts";
import { objectKeyText, type Provenance, resourceOf } from "../model/provenance.ts";
import { compareKeys, type DesiredRecordSet, recordSetKeyText } from "../model/record-set.ts";
import type { Hold, OwnedRecordSet } from "./changes.ts";
import { mayCoexist } from "./coexistence.ts";
import { holdAt } from "./hold-reasons.ts";
import { isOurs, names } from "./rights.ts";
import type { PlanRules } from "./rules.ts";

/** Winners may all stand together, sorted by key; every other wanted set has a hold that names its winner. */
export interface Resolved {
  readonly winners: readonly DesiredRecordSet[];
  readonly holds: readonly Hold[];
}

/** What the conflict order looks at besides the wanted sets. */
export interface ConflictScene {
  readonly current: readonly OwnedRecordSet[];
  readonly rules: PlanRules;
}

/** Settles all conflicts at one name. The order of `desired` does not matter. */
export function resolve(desired: readonly DesiredRecordSet[], scene: ConflictScene): Resolved {
  const winners: DesiredRecordSet[] = [];
  const holds: Hold[] = [];
  for (const want of ranked(desired, scene)) {
    const winner = winners.find((accepted) => !mayCoexist(accepted, want));
    if (winner === undefined) winners.push(want);
    else holds.push(superseded(want, winner, scene.rules));
  }
  return { winners: winners.sort(compareKeys), holds };
}

function superseded(want: DesiredRecordSet, winner: DesiredRecordSet, rules: PlanRules): Hold {
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
 * `service/default/web` as `beside` is told about it; the cluster is said only where there are several, for its id may
 * be a bare UID.
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

/** First the object in the marker, then cluster rank, creation time, object key; then the key and data itself. */
function ranked(
  desired: readonly DesiredRecordSet[],
  scene: ConflictScene,
): readonly DesiredRecordSet[] {
  const rows = desired.map((want) => ({
    want,
    incumbency: incumbency(want, scene),
    cluster: scene.rules.clusterRank[want.provenance.cluster] ?? Number.MAX_SAFE_INTEGER,
    object: objectKeyText(want.provenance),
  }));
  rows.sort(
    (a, b) =>
      a.incumbency - b.incumbency ||
      a.cluster - b.cluster ||
      a.want.createdAtMs - b.want.createdAtMs ||
      compareText(a.object, b.object) ||
      compareKeys(a.want, b.want) ||
      compareText(dataText(a.want), dataText(b.want)),
  );
  return rows.map((row) => row.want);
}

/** 0: a marker of ours at this key names the object. 1: one at this name does (a type change). 2: none does. */
function incumbency(want: DesiredRecordSet, { current, rules }: ConflictScene): number {
  const held = current.filter((one) => isOurs(one, rules) && names(one.marker, want.provenance));
  const key = recordSetKeyText(want);
  if (held.some((one) => recordSetKeyText(one) === key)) return 0;
  return held.length > 0 ? 1 : 2;
}

/** Only breaks ties between two wishes of one object for one key, so that the order of input never matters. */
function dataText(want: DesiredRecordSet): string {
  return JSON.stringify([
    want.values,
    want.ttlSeconds,
    want.owner,
    want.properties,
    want.routingPolicy,
  ]);
}
