/**
 * The order in which objects come that want one name (Z-15), and in words why one comes before
 * another. Pure.
 */
import { compareText } from "../model/dns-name.ts";
import { objectKeyText } from "../model/provenance.ts";
import { compareKeys, type DesiredRecordSet, isSameKey } from "../model/record-set.ts";
import type { OwnedRecordSet } from "./changes.ts";
import { isPermittedClaim } from "./claims.ts";
import { isOwnedByUs, names } from "./rights.ts";
import type { PlanRules } from "./rules.ts";

/** What the conflict order looks at besides the wanted sets. */
export interface ConflictScene {
  readonly current: readonly OwnedRecordSet[];
  readonly rules: Pick<PlanRules, "owners" | "mainOwner" | "clusterRank" | "orders" | "noPermits">;
}

/** One wanted set with what decides about its rank; lower comes first. */
export interface Ranked {
  readonly want: DesiredRecordSet;
  /** The present holder permits its object to claim what it holds. */
  readonly isPermitted: boolean;
  /**
   * 0: a marker of ours at this key names the object, and its record stands. 1: so at this name (a
   * type change). 2, 3: the same for markers without a record: a create that was broken off (Z-10)
   * yields to what stands. 4: none does.
   */
  readonly incumbency: number;
  readonly cluster: number;
  /** For ties only: cluster, kind, namespace and name as one text. */
  readonly object: string;
}

/**
 * First a claim that the holder permits, then the object in the marker, then cluster rank, creation
 * time, object key; then the key and data itself.
 */
export function ranked(
  desired: readonly DesiredRecordSet[],
  scene: ConflictScene,
): readonly Ranked[] {
  const claims = { current: scene.current, rules: scene.rules, contenders: desired };
  const rows = desired.map((want) => ({
    want,
    isPermitted: isPermittedClaim(want, claims),
    incumbency: incumbency(want, scene),
    cluster: scene.rules.clusterRank[want.provenance.cluster] ?? Number.MAX_SAFE_INTEGER,
    object: objectKeyText(want.provenance),
  }));
  return rows.sort(
    (a, b) =>
      Number(b.isPermitted) - Number(a.isPermitted) ||
      a.incumbency - b.incumbency ||
      a.cluster - b.cluster ||
      a.want.createdAtMs - b.want.createdAtMs ||
      compareText(a.object, b.object) ||
      compareKeys(a.want, b.want) ||
      compareText(dataText(a.want), dataText(b.want)),
  );
}

/** Why `first` comes before `second`: the first of the rules in which they differ. */
export function advantage(first: Ranked, second: Ranked): string {
  if (first.isPermitted && !second.isPermitted) return "the holder permits it to claim the name";
  if (first.incumbency < second.incumbency) return "the marker at the name is its own";
  if (first.cluster < second.cluster) return "its cluster comes first in the configuration";
  const created = new Date(first.want.createdAtMs).toISOString();
  if (first.want.createdAtMs < second.want.createdAtMs) return `it is older, of ${created}`;
  if (first.object !== second.object) return "both are equally old, and its name comes first";
  return "one object wants both, and they cannot stand together";
}

function incumbency(want: DesiredRecordSet, { current, rules }: ConflictScene): number {
  const held = current.filter(
    (one) => isOwnedByUs(one, rules) && names(one.marker, want.provenance),
  );
  const standing = held.filter((one) => one.data !== null);
  const isHere = (one: OwnedRecordSet) => isSameKey(one, want);
  if (standing.length > 0) return standing.some(isHere) ? 0 : 1;
  if (held.length > 0) return held.some(isHere) ? 2 : 3;
  return 4;
}

/**
 * Only breaks ties between two wishes of one object for one key, so that the order of input never
 * matters.
 */
function dataText(want: DesiredRecordSet): string {
  return JSON.stringify([
    want.values,
    want.ttlSeconds,
    want.owner,
    want.properties,
    want.routingPolicy,
  ]);
}
