/**
 * The record sets that external-dns makes of several objects with one name (ADR 0126): those of one
 * kind in one cluster are one, with the values of all. Pure.
 *
 *   Service a   www A 192.0.2.1          a wants www A 192.0.2.1, 192.0.2.2
 *   Service b   www A 192.0.2.2    ──►   b wants the same, so that one record serves both (Z-15)
 *   www A 192.0.2.1, 192.0.2.2, 192.0.2.3: the third one goes, if nobody may want it
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { resourceOf } from "../model/provenance.ts";
import { type DesiredRecordSet, isSameKey, recordSetKeyText } from "../model/record-set.ts";
import type { Hold, Marker, OwnedRecordSet } from "./changes.ts";
import { holdFor } from "./hold-at.ts";
import type { Blocker } from "./rules.ts";

/** Whether values that no object wants any more may leave a record set that others want. */
export interface Surplus {
  /** Why such values stay; null = they may go. */
  readonly kept: Blocker | null;
  /**
   * The objects that wanted the name before, as their markers would name them; their API servers
   * are asked before the values go.
   */
  readonly leavers: readonly Marker[];
}

/** Judges the values of a record set of ours that none of the `wanting` record sets has. */
export type SurplusOf = (set: OwnedRecordSet, wanting: readonly DesiredRecordSet[]) => Surplus;

/** The record sets of all objects at a name, joined. */
export interface Joined {
  readonly desired: readonly DesiredRecordSet[];
  /** For values that stay although no object wants them. */
  readonly holds: readonly Hold[];
  /** Objects to be asked (`Surplus`), by `recordSetKeyText`. */
  readonly leavers: ReadonlyMap<string, readonly Marker[]>;
}

/** Types that have one value. */
const SINGLE: ReadonlySet<string> = new Set(["CNAME", "DNAME"]);
/** Kind whose record sets are joined even if their TTLs differ; the first one by name decides. */
const ANY_TTL = "service/";

/** `current`: record sets of ours at the name. The order of the result is that of `desired`. */
export function joinDesired(
  desired: readonly DesiredRecordSet[],
  current: readonly OwnedRecordSet[],
  surplusOf: SurplusOf,
): Joined {
  const holds: Hold[] = [];
  const leavers = new Map<string, readonly Marker[]>();
  const joined = desired.map((own): DesiredRecordSet => {
    if (SINGLE.has(own.type)) return own;
    const { cluster, kind } = own.provenance;
    const hasAnyTtl = resourceOf(own.provenance).startsWith(ANY_TTL);
    const all = desired
      .filter(
        (one) =>
          isSameKey(one, own) &&
          one.provenance.cluster === cluster &&
          one.provenance.kind === kind &&
          (hasAnyTtl || one.ttlSeconds === own.ttlSeconds),
      )
      .sort(byResource);
    const [first = own] = all;
    const values = new Set(all.flatMap((one) => one.values));
    const present = current.find((one) => isSameKey(one, own));
    const surplus = present?.data?.values.filter((value) => !values.has(value)) ?? [];
    if (present !== undefined && surplus.length > 0) {
      const verdict = surplusOf(present, all);
      // clause: joined-value-needs-a-proof
      if (verdict.kept !== null) {
        const { code, message } = verdict.kept;
        for (const value of surplus) values.add(value);
        if (own === first) holds.push(holdFor(own, code, `${surplus.join(", ")}: ${message}`));
      } else if (verdict.leavers.length > 0) leavers.set(recordSetKeyText(own), verdict.leavers);
    }
    const { ttlSeconds, properties } = first;
    return { ...own, ttlSeconds, properties, values: [...values].sort(compareText) };
  });
  return { desired: joined, holds, leavers };
}

/**
 * The order of external-dns (`plan/conflict.go` @v0.22, `Targets.IsLess`): addresses before host
 * names, fewer values before more, then the values.
 */
export function compareTargets(a: DesiredRecordSet, b: DesiredRecordSet): number {
  if (SINGLE.has(a.type) !== SINGLE.has(b.type)) return SINGLE.has(a.type) ? 1 : -1;
  if (a.values.length !== b.values.length) return a.values.length - b.values.length;
  const at = a.values.findIndex((value, index) => value !== b.values[index]);
  const [one = "", other = ""] = at < 0 ? [] : [a.values[at], b.values[at]];
  return compareAddresses(one, other) || compareText(one, other);
}

/** By their numbers; 0 where one of them is no IPv4 address. */
function compareAddresses(a: string, b: string): number {
  const [one = [], other = []] = [a, b].map((text) => text.split(".").map(Number));
  const isAddress = [one, other].every(
    (octets) => octets.length === 4 && octets.every(Number.isInteger),
  );
  const at = isAddress ? one.findIndex((part, index) => part !== other[index]) : -1;
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

function byResource(a: DesiredRecordSet, b: DesiredRecordSet): number {
  return compareText(resourceOf(a.provenance), resourceOf(b.provenance));
}
