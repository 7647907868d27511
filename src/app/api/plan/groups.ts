/** Groups the items of a plan, and decides how many of each group are shown. Pure. */
import { compareText } from "@zonekeeper/base/compare-text";
import { groupedBy } from "@zonekeeper/base/grouped-by";
import type { AbsenceProof } from "../../../plan/changes.ts";

/** The change of a record set; `marker` writes only the marker. */
export type PlanOp = "create" | "replace" | "remove" | "marker";

/** Data of a record set. */
export interface PlanData {
  readonly ttlSeconds: number | null;
  readonly values: readonly string[];
}

/** A change, or one that is held. */
export interface PlanItem {
  readonly zone: string;
  readonly name: string;
  readonly type: string;
  readonly setIdentifier: string | null;
  readonly op: PlanOp | "held";
  /** With `held`, what would be done, where a planned change is held; else null. */
  readonly heldOp: PlanOp | null;
  /**
   * The present data, as far as it changes; null = none. With `held` only where `heldOp` is known.
   */
  readonly from: PlanData | null;
  /** The data to be written; null = none. With `held` only where `heldOp` is known. */
  readonly to: PlanData | null;
  /** Reason of the change, or of the hold. */
  readonly code: string;
  readonly message: string;
  /** `kind/namespace/name` of the object that it is for; null = not known. */
  readonly object: string | null;
  /** The cluster of that object; null = not known. */
  readonly cluster: string | null;
  /**
   * How it is known that no object wants the record any more; null = no removal, or one that needs
   * no proof.
   */
  readonly proof: AbsenceProof | null;
  /**
   * Why the last try failed, and when the next one is; absent = it did not fail.
   */
  readonly failure?: string;
  /**
   * The name has no answer for a moment: its type changes and the provider takes one record set a
   * call.
   */
  readonly gap: boolean;
}

/** Changes of one kind in one zone, or holds with one code of which all would do the same. */
export interface PlanGroup {
  readonly zone: string;
  readonly op: PlanItem["op"];
  /** For holds; null for changes. */
  readonly code: string | null;
  /** For holds, what they would do; null for changes, and where it is not known. */
  readonly heldOp: PlanOp | null;
  readonly count: number;
  /** By name; the first ones of `count`. */
  readonly items: readonly PlanItem[];
}

/** The groups of one zone, the largest first, held ones last. */
export function groupsOf(items: readonly PlanItem[]): readonly PlanGroup[] {
  const groups = groupedBy(items, ({ op, code, heldOp }) =>
    op === "held" ? `held ${code} ${heldOp}` : op,
  );
  return [...groups.values()]
    .flatMap((group) =>
      group.slice(0, 1).map(({ zone, op, code, heldOp }): PlanGroup => {
        const reason = op === "held" ? code : null;
        return { zone, op, code: reason, heldOp, count: group.length, items: group };
      }),
    )
    .sort(byKind);
}

function byKind(a: PlanGroup, b: PlanGroup): number {
  const rank = ({ op }: PlanGroup): number => (op === "held" ? 1 : 0);
  const text = ({ op, code, heldOp }: PlanGroup): string => `${op}${code}${heldOp}`;
  return rank(a) - rank(b) || b.count - a.count || compareText(text(a), text(b));
}

/**
 * Divides the limit among the groups: small ones are shown whole, and larger ones share the rest.
 */
export function limited(groups: readonly PlanGroup[], limit: number): readonly PlanGroup[] {
  const shares = new Map<PlanGroup, number>();
  const growing = [...groups].sort((a, b) => a.count - b.count);
  let left = limit;
  for (const [index, group] of growing.entries()) {
    const share = Math.min(group.count, Math.ceil(left / (growing.length - index)));
    shares.set(group, share);
    left -= share;
  }
  return groups.map((group) => ({ ...group, items: group.items.slice(0, shares.get(group) ?? 0) }));
}
