/** What the ledger of a zone remembers of one name: data, and what follows from it alone. Pure. */
import { recordSetKeyText } from "../../model/record-set.ts";
import type { KeyChange, NamePlan } from "../../plan/changes.ts";
import type { Failure } from "./name-report.ts";

/** What is remembered of one name. */
export interface NameNotes {
  /**
   * The name must be read first, with these other names that its last call may have written
   * (markers); null = it need not be.
   */
  readonly unread: ReadonlySet<string> | null;
  /** Its group failed on a precondition after a fresh read. */
  readonly isIsolated: boolean;
  /** The parts of it that were just written as planned (`writtenKeys`); null = none. */
  readonly written: readonly string[] | null;
  /** When it was written, by the monotonic clock; null = it was read since, or never written. */
  readonly unprovenSinceMs: number | null;
  /** A reading after a write shows other data; true until a reading agrees. */
  readonly isDiverging: boolean;
  /** The last confirmed step of a sequence of writes that is not at its end; null = none. */
  readonly step: string | null;
  /** It was not planned since its input changed. */
  readonly isUnplanned: boolean;
  /** The last plan that still has changes or holds. */
  readonly plan: NamePlan | null;
  /** Since when its plans have changes or holds, Unix milliseconds; null = `plan` is null. */
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

/** True when a plan, a read or a try is due, or a failure or hold is reported. */
export function isOpen({ plan, failure, unread, isUnplanned }: NameNotes): boolean {
  return plan !== null || failure !== null || unread !== null || isUnplanned;
}

/** True when nothing of the notes need be remembered. */
export function isNothing(notes: NameNotes): boolean {
  const { isIsolated, written, unprovenSinceMs, isDiverging, step } = notes;
  const isCalled = written !== null || unprovenSinceMs !== null || isDiverging || step !== null;
  return !isOpen(notes) && !isIsolated && !isCalled;
}

/**
 * One text for each key that is written: the key, and whether its data, its marker, its permit or
 * the form of its marker is. A change that a person undid is left out: its object wants it again.
 */
export function writtenKeys({ changes }: NamePlan): readonly string[] {
  const own = changes.filter(({ reason }) => reason.code !== "Undone");
  return own.map((one) => `${aspectOf(one)} ${recordSetKeyText(one.key)}`);
}

function aspectOf({ migration, change, permit }: KeyChange): string {
  if (migration !== undefined) return "form";
  if (change !== null) return "data";
  // The permit of a transfer goes with its marker.
  return permit === undefined || permit.is === "used" ? "marker" : "permit";
}
