/** Items of a plan in groups, and how many of each are shown. Pure. */
import { compareText } from "../../../model/dns-name.ts";
import type { PlanGroup, PlanItem } from "./document.ts";

/** What is alike together, of one zone; the largest first, held ones last. */
export function groupsOf(items: readonly PlanItem[]): readonly PlanGroup[] {
  const groups = new Map<string, PlanItem[]>();
  for (const item of items) {
    const id = item.op === "held" ? `held ${item.code} ${item.heldOp}` : item.op;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [item]);
    else group.push(item);
  }
  return [...groups.values()].flatMap((group) => groupOf(group)).sort(byKind);
}

function groupOf(items: readonly PlanItem[]): readonly PlanGroup[] {
  const [first] = items;
  if (first === undefined) return [];
  const { zone, op, code, heldOp } = first;
  return [{ zone, op, code: op === "held" ? code : null, heldOp, count: items.length, items }];
}

function byKind(a: PlanGroup, b: PlanGroup): number {
  const rank = ({ op }: PlanGroup): number => (op === "held" ? 1 : 0);
  const text = ({ op, code, heldOp }: PlanGroup): string => `${op}${code}${heldOp}`;
  return rank(a) - rank(b) || b.count - a.count || compareText(text(a), text(b));
}

/** Small groups are shown whole; what they leave goes to the larger ones. */
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
