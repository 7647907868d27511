/**
 * Tells a person what a fuse begins to hold, and the hash to approve. A set that still grows has
 * another hash with each item: it is told when it begins, and when it is complete.
 */
import type { Log } from "@zonekeeper/base/ports/log";
import { heldSets } from "../../plan/fuse.ts";
import type { FuseState, HeldSet } from "../../plan/fuse-state.ts";

/** The step from one state of the counters to the next; null = they were not known before. */
export interface FuseStep {
  readonly before: FuseState | null;
  readonly after: FuseState;
}

/** A set that waits for approval since now, or is complete since now. */
export interface HeldNews extends Pick<HeldSet, "hash" | "kind" | "removals"> {
  readonly changes: number;
  /** False = more may join it, and its hash changes then. */
  readonly isComplete: boolean;
}

/** Whom a fuse tells. */
export interface HeldListeners {
  readonly log: Log;
  /** Apex. */
  readonly zone: string;
  /** Absent = the log alone. */
  readonly onHeld?: (news: HeldNews) => void;
}

/** Tells what is held since this step, and that nothing is held any more. */
export function tellHeld({ log, zone, onHeld }: HeldListeners, step: FuseStep): void {
  for (const { hash, ...news } of heldNews(step)) {
    const fields = { zone, ...news, approve: `zonekeeper approve ${hash}` };
    log.warn("changes are held until a person approves them", fields);
    onHeld?.({ hash, ...news });
  }
  const { before, after } = step;
  const hadAny = before !== null && heldSets(before).length > 0;
  if (hadAny && heldSets(after).length === 0) log.info("no change is held any more", { zone });
}

function heldNews({ before, after }: FuseStep): readonly HeldNews[] {
  const had = before === null ? [] : heldSets(before);
  const isNew = (set: HeldSet): boolean => !had.some(({ kind }) => kind === set.kind);
  const hasGrown = ({ hash, isGrowing }: HeldSet): boolean =>
    isGrowing !== true && hash === after.frozen?.hash && hash !== before?.frozen?.hash;
  return heldSets(after)
    .filter((set) => isNew(set) || hasGrown(set))
    .map(({ hash, kind, items, removals, isGrowing }) => ({
      ...{ hash, kind, changes: items.length, removals },
      isComplete: isGrowing !== true,
    }));
}
