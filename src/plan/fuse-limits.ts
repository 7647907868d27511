/**
 * How many removals of an hour the fuse lets pass, and the removals of which namespaces wait beyond
 * that (Z-16). Each limit counts for the zone; a namespace has one of its own, too, so that the
 * records of others do not widen it. Pure.
 */
import type { FuseLimits } from "../model/fuse-limits.ts";

/** With at least so many removing namespaces none passes only because its own removals are few. */
export const FREE_NAMESPACES = 10;

/** Removals of a namespace in the hour. */
interface NamespaceRemovals {
  readonly namespace: string;
  /** Record sets that it owned; at its first removal of the hour. */
  readonly owned: number;
  readonly passed: Removals;
  /** Removals that are planned, and have neither passed nor been approved. */
  readonly waiting: Removals;
}

/** A number of removals. */
interface Removals {
  readonly all: number;
  /** How many of them have a weak proof: nobody watched how the object gave up the name. */
  readonly weak: number;
}

/** A zone with its removals. */
export interface ZoneRemovals {
  /** Record sets that it had at the start of the hour. */
  readonly owned: number;
  readonly namespaces: readonly NamespaceRemovals[];
  /** No owned name would be left. */
  readonly losesLastName: boolean;
}

/**
 * The namespaces whose removals wait. What passed already counts for everybody: otherwise a removal
 * of the whole zone could pass, one namespace after the other.
 */
export function namespacesToHold(zone: ZoneRemovals, limits: FuseLimits): ReadonlySet<string> {
  // clause: fuse-trips
  const held = new Set<string>();
  for (const { namespace, owned, passed, waiting } of zone.namespaces) {
    // For weak proofs a namespace has no limit of its own; that of the zone counts.
    const ownMost = Math.max(limits.strong, limits.namespaceShare * owned);
    if (
      (waiting.all > 0 && passed.all + waiting.all > ownMost) ||
      /* clause: weak-proof-spares-last-name */ (zone.losesLastName && waiting.weak > 0)
    )
      held.add(namespace);
  }
  const weakMost = Math.max(limits.weak, limits.weakShare * zone.owned);
  holdLargest({ zone, limits, held, kind: "weak", most: weakMost });
  const most = Math.max(limits.strong, limits.strongShare * zone.owned);
  holdLargest({ zone, limits, held, kind: "all", most });
  return held;
}

interface Excess {
  readonly zone: ZoneRemovals;
  readonly limits: FuseLimits;
  readonly held: Set<string>;
  readonly kind: keyof Removals;
  readonly most: number;
}

/** Holds namespaces in falling order of their removals until the rest is within the limit. */
function holdLargest({ zone, limits, held, kind, most }: Excess): void {
  const { namespaces } = zone;
  const count = (one: NamespaceRemovals) => one.passed[kind] + one.waiting[kind];
  const areFew = namespaces.length < FREE_NAMESPACES;
  const isFree = ({ passed, waiting }: NamespaceRemovals) =>
    areFew && passed.all + waiting.all <= limits.free;
  const waiting = namespaces.filter((one) => !held.has(one.namespace) && one.waiting[kind] > 0);
  let rest = sum(namespaces.map(({ passed }) => passed[kind]));
  rest += sum(waiting.map((one) => one.waiting[kind]));
  const byCount = (a: NamespaceRemovals, b: NamespaceRemovals) =>
    count(b) - count(a) || (a.namespace < b.namespace ? -1 : 1);
  for (const one of waiting.sort(byCount)) {
    if (rest <= most) return;
    if (isFree(one)) continue;
    held.add(one.namespace);
    rest -= one.waiting[kind];
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
