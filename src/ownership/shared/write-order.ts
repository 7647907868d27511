/** The order of writes in one all-or-nothing call, and groups of data without markers. Pure. */
import type { Change, NamePlan, Precondition } from "../../plan/changes.ts";
import { distinct, type PresentSets, preconditionsOf } from "../../plan/preconditions.ts";
import type { Prepared } from "../ownership.ts";

/**
 * Removals first, data before its marker; then markers before their data (Z-10). A server that
 * applies writes one by one needs the old records gone first (RFC 2136 §3.4.2.2).
 */
export function inGroupOrder(
  data: readonly Change[],
  markers: readonly Change[],
): readonly Change[] {
  return [
    ...data.filter(isRemoval),
    ...markers.filter(isRemoval),
    ...markers.filter((change) => !isRemoval(change)),
    ...data.filter((change) => !isRemoval(change)),
  ];
}

/** Removes a record set. */
export function isRemoval({ op }: Change): boolean {
  return op === "remove";
}

/**
 * The group of a registry that writes no markers: all data in one call, or, where a call takes one
 * record set, the first write with the others as its rest.
 */
export function dataGroup(
  { name, changes: keys }: NamePlan,
  present: PresentSets,
  { atomic, more }: { readonly atomic: boolean; readonly more: readonly Precondition[] },
): Prepared {
  const writes = inGroupOrder(
    keys.flatMap(({ change }) => change ?? []),
    [],
  );
  const [first, ...later] = writes;
  const isStep = !atomic && first !== undefined && later.length > 0;
  const changes = isStep ? [first] : writes;
  const preconditions = distinct([...preconditionsOf(changes, present), ...more]);
  const group = { name, keys, changes, preconditions };
  return { ok: true, group: isStep ? { ...group, rest: { writes: later, afterMs: 0 } } : group };
}
