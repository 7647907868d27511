/**
 * The order in which objects come that want one name (Z-15), and in words why one comes before
 * another. Pure.
 */
import { compareText } from "../model/dns-name.ts";
import { objectKeyText } from "../model/provenance.ts";
import { compareKeys, type DesiredRecordSet, isSameKey } from "../model/record-set.ts";
import type { OwnedRecordSet } from "./changes.ts";
import { isPermittedClaim } from "./claims.ts";
import { isOwnedByUs, markerNamesObject } from "./rights.ts";
import type { PlanRules } from "./rules.ts";

/** What the conflict order looks at besides the wanted sets. */
export interface ConflictContext {
  readonly current: readonly OwnedRecordSet[];
  readonly rules: Pick<PlanRules, "owners" | "mainOwner" | "clusterRank" | "orders" | "noPermits">;
}

/** One wanted set with what decides about its rank; lower comes first. */
export interface Ranked {
  readonly desired: DesiredRecordSet;
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
export function rankDesired(
  desired: readonly DesiredRecordSet[],
  context: ConflictContext,
): readonly Ranked[] {
  const claims = { current: context.current, rules: context.rules, contenders: desired };
  const rows = desired.map((one) => ({
    desired: one,
    isPermitted: isPermittedClaim(one, claims),
    incumbency: incumbencyOf(one, context),
    cluster: context.rules.clusterRank[one.provenance.cluster] ?? Number.MAX_SAFE_INTEGER,
    object: objectKeyText(one.provenance),
  }));
  return rows.sort(
    (a, b) =>
      Number(b.isPermitted) - Number(a.isPermitted) ||
      a.incumbency - b.incumbency ||
      a.cluster - b.cluster ||
      a.desired.createdAtMs - b.desired.createdAtMs ||
      compareText(a.object, b.object) ||
      compareKeys(a.desired, b.desired) ||
      compareText(dataText(a.desired), dataText(b.desired)),
  );
}

/** Why `first` comes before `second`: the first of the rules in which they differ. */
export function rankReason(first: Ranked, second: Ranked): string {
  if (first.isPermitted && !second.isPermitted) return "the holder permits it to claim the name";
  if (first.incumbency < second.incumbency) return "the marker at the name is its own";
  if (first.cluster < second.cluster) return "its cluster comes first in the configuration";
  const created = new Date(first.desired.createdAtMs).toISOString();
  if (first.desired.createdAtMs < second.desired.createdAtMs) return `it is older, of ${created}`;
  if (first.object !== second.object) return "both are equally old, and its name comes first";
  return "one object wants both, and they cannot stand together";
}

function incumbencyOf(desired: DesiredRecordSet, { current, rules }: ConflictContext): number {
  const marked = current.filter(
    (one) => isOwnedByUs(one, rules) && markerNamesObject(one.marker, desired.provenance),
  );
  const present = marked.filter((one) => one.data !== null);
  const isAtKey = (one: OwnedRecordSet) => isSameKey(one, desired);
  if (present.length > 0) return present.some(isAtKey) ? 0 : 1;
  if (marked.length > 0) return marked.some(isAtKey) ? 2 : 3;
  return 4;
}

/**
 * Only breaks ties between two wishes of one object for one key, so that the order of input never
 * matters.
 */
function dataText(desired: DesiredRecordSet): string {
  return JSON.stringify([
    desired.values,
    desired.ttlSeconds,
    desired.owner,
    desired.properties,
    desired.routingPolicy,
  ]);
}
