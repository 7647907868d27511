/**
 * The rank of the objects that want one name (Z-15), and the reason for it in words. An object that
 * has a record at the name comes before a new one: the marker of the record names it. Pure.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { timeText } from "@zonekeeper/base/time-text";
import { isMarkOf, isSameObject, objectKeyText } from "../model/provenance.ts";
import { compareKeys, type DesiredRecordSet, isSameKey } from "../model/record-set.ts";
import type { OwnedRecordSet } from "./changes.ts";
import { isPermittedClaim } from "./claims.ts";
import { compareTargets } from "./join-desired.ts";
import { isOwnedByUs } from "./rights.ts";
import { type PlanRules, verdictKey } from "./rules.ts";
import { ONE_TENANT } from "./tenants.ts";

/** The input of the conflict order, without the desired record sets. */
export interface ConflictContext {
  readonly current: readonly OwnedRecordSet[];
  readonly rules: Pick<
    PlanRules,
    | "owners"
    | "mainOwner"
    | "clusterRank"
    | "orders"
    | "noPermits"
    | "tenancy"
    | "answers"
    | "absences"
    | "joins"
  >;
}

/** One desired record set with the facts that decide its rank; lower comes first. */
export interface Ranked {
  readonly desired: DesiredRecordSet;
  /** The holder of a record at the name permits the claim of its object. */
  readonly isPermitted: boolean;
  /**
   * 0: a marker of ours at this key names the object, or one whose record it may continue
   * (`hasSucceeded`), and the record exists. 1: the same at another key of the name (a type
   * change). 2, 3: the same for markers without a record: an interrupted create (Z-10) ranks behind
   * an existing record. 4: no marker names the object.
   */
  readonly incumbency: number;
  /** At the apex, the namespace of a DNSProvider of the zone comes first (Z-28). */
  readonly isOfProvider: boolean;
  readonly cluster: number;
  /** For ties only: cluster, kind, namespace and name as one text. */
  readonly object: string;
}

/**
 * First a claim that the holder permits, then the object in the marker, at the apex the namespace
 * of the DNSProvider, then cluster rank, creation time, object key; then the key and data itself.
 */
export function rankDesired(
  desired: readonly DesiredRecordSet[],
  context: ConflictContext,
): readonly Ranked[] {
  const claims = { current: context.current, rules: context.rules, contenders: desired };
  const { firstNamespaces } = context.rules.tenancy ?? ONE_TENANT;
  const rows = desired.map((one) => ({
    desired: one,
    isPermitted: isPermittedClaim(one, claims),
    incumbency: incumbencyOf(one, context),
    isOfProvider: firstNamespaces.includes(one.provenance.namespace),
    cluster: context.rules.clusterRank[one.provenance.cluster] ?? Number.MAX_SAFE_INTEGER,
    object: objectKeyText(one.provenance),
  }));
  return rows.sort(
    (a, b) =>
      Number(b.isPermitted) - Number(a.isPermitted) ||
      a.incumbency - b.incumbency ||
      (context.rules.joins === true ? compareTargets(a.desired, b.desired) : 0) ||
      Number(b.isOfProvider) - Number(a.isOfProvider) ||
      a.cluster - b.cluster ||
      a.desired.createdAtMs - b.desired.createdAtMs ||
      compareText(a.object, b.object) ||
      compareKeys(a.desired, b.desired) ||
      compareText(dataText(a.desired), dataText(b.desired)),
  );
}

/** Why `first` comes before `second`: the first of the rules in which they differ. */
export function rankReason(first: Ranked, second: Ranked): string {
  if (first.isPermitted && !second.isPermitted) return "the holder permits its claim";
  if (first.incumbency < second.incumbency) return "the marker at the name names it";
  if (first.isOfProvider && !second.isOfProvider)
    return "its namespace has the DNSProvider of the zone";
  if (first.cluster < second.cluster) return "its cluster comes first in the configuration";
  const created = timeText(first.desired.createdAtMs);
  if (first.desired.createdAtMs < second.desired.createdAtMs) return `it is older, of ${created}`;
  if (first.object !== second.object) return "both are equally old, and its name comes first";
  return "one object wants both, and they cannot coexist";
}

function incumbencyOf(desired: DesiredRecordSet, { current, rules }: ConflictContext): number {
  const marked = current.filter(
    (one) =>
      isOwnedByUs(one, rules) &&
      (isMarkOf(one.marker, desired.provenance) || hasSucceeded(desired, one, rules)),
  );
  const present = marked.filter((one) => one.data !== null);
  const isAtKey = (one: OwnedRecordSet) => isSameKey(one, desired);
  if (present.length > 0) return present.some(isAtKey) ? 0 : 1;
  if (marked.length > 0) return marked.some(isAtKey) ? 2 : 3;
  return 4;
}

/**
 * True when the DNSEntry that published for the object in the marker is published for this object
 * now (`successor`): it continues with the record, and has its rank.
 */
function hasSucceeded(
  { provenance }: DesiredRecordSet,
  one: OwnedRecordSet,
  { absences }: ConflictContext["rules"],
): boolean {
  const absence = absences?.get(verdictKey(one));
  const successor = absence?.proven === true ? absence.successor : undefined;
  // clause: successor-has-the-rank
  return successor !== undefined && isSameObject(successor, provenance);
}

/**
 * Breaks ties between two record sets of one object at one key, so that input order never matters.
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
