/** What the ledger of a zone remembers of one name: data, and what follows from it alone. */
import type { NamePlan } from "../../plan/changes.ts";
import type { Failure } from "./name-report.ts";

/** What is remembered of one name. */
export interface NameNotes {
  /** The name must be read first, with these raw names that its last call may have written. */
  readonly unread: ReadonlySet<string> | null;
  /** Its group failed on a precondition after a fresh read. */
  readonly isIsolated: boolean;
  /** It was just written as planned, these parts of it. */
  readonly written: readonly string[] | null;
  /** When it was written, by the monotonic clock, if it was not read since. */
  readonly unprovenSinceMs: number | null;
  /** It was written and read, and is to be written again; until a reading agrees. */
  readonly isDiverging: boolean;
  /** The last confirmed step, in the middle of a sequence. */
  readonly step: string | null;
  /** It was not planned since its input changed. */
  readonly isUnplanned: boolean;
  /** The last plan that still has changes or holds. */
  readonly plan: NamePlan | null;
  /** When a plan of the name was the first one that had some; Unix milliseconds. */
  readonly openSinceMs: number | null;
  readonly failure: Failure | null;
}

/** Nothing is remembered. */
export const NOTHING: NameNotes = {
  unread: null,
  isIsolated: false,
  written: null,
  unprovenSinceMs: null,
  isDiverging: false,
  step: null,
  isUnplanned: false,
  plan: null,
  openSinceMs: null,
  failure: null,
};

/** A plan, a read or a try is due, or there is something to tell. */
export function isOpen({ plan, failure, unread, isUnplanned }: NameNotes): boolean {
  return plan !== null || failure !== null || unread !== null || isUnplanned;
}

/** Nothing of it need be remembered. */
export function isNothing(notes: NameNotes): boolean {
  const { isIsolated, written, unprovenSinceMs, isDiverging, step } = notes;
  const isCalled = written !== null || unprovenSinceMs !== null || isDiverging || step !== null;
  return !isOpen(notes) && !isIsolated && !isCalled;
}
