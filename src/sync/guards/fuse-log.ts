/**
 * Tells a person what a fuse begins to hold, and the hash to approve. A set that still grows has
 * another hash with each item: it is told when it begins, and when it is complete.
 */
import { heldSets } from "../../plan/fuse.ts";
import type { FuseState, HeldSet } from "../../plan/fuse-state.ts";
import type { Log } from "../../ports/log.ts";

/** The step from one state of the counters to the next; null = they were not known before. */
export interface FuseStep {
  readonly before: FuseState | null;
  readonly after: FuseState;
}

/** Logs nothing where the same is held as before. */
export function logHeld(log: Log, zone: string, { before, after }: FuseStep): void {
  const had = before === null ? [] : heldSets(before);
  const has = heldSets(after);
  for (const set of has)
    if (isComplete(set, before, after) || !had.some(({ kind }) => kind === set.kind))
      log.warn("changes are held until a person approves them", {
        zone,
        kind: set.kind,
        changes: set.items.length,
        removals: set.removals,
        isComplete: set.hash !== growing(after),
        approve: `zonekeeper approve ${set.hash}`,
      });
  if (had.length > 0 && has.length === 0) log.info("no change is held any more", { zone });
}

/** Nothing joins it any more from this step on. */
function isComplete({ hash }: HeldSet, before: FuseState | null, after: FuseState): boolean {
  return hash === after.frozen?.hash && hash !== before?.frozen?.hash;
}

/** The hash of the set that still grows; null = none does. */
function growing(state: FuseState): string | null {
  if (state.later.length === 0) return null;
  const kind = state.frozen === null ? "removals" : "next-removals";
  return heldSets(state).findLast((set) => set.kind === kind)?.hash ?? null;
}
