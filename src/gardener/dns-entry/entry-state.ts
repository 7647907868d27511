/**
 * Which state an entry gets from its name's report; for holds `plan/hold-reasons.ts` decides
 * (Z-19). Pure.
 */
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { holdReason } from "../../plan/hold-reasons.ts";
import type { Found } from "../../sources/source.ts";
import type { NameReport } from "../../sync/contract/contribution-report.ts";
import type { EntryState } from "./entry.ts";

/** Of an entry that no zone is chosen for yet, while nothing is known to stand in its way. */
export const WAITING = "waiting for dns reconciliation";

/** Of an entry whose zone has not published it yet, while nothing is known to stand in its way. */
export const PUBLISHING = "dns entry is being published";

/**
 * State and message of an entry, as its status shows them.
 */
export interface ShownState {
  readonly state: EntryState;
  readonly message: string;
  /** Code of docs/reference/errors.md; absent = none but the state itself. */
  readonly code?: string;
  /** True = only an edit of the entry helps. Absent = false. */
  readonly isMistake?: true;
}

/**
 * The state that a report gives to its entry; null = the change of the name has not ended yet
 * (`pending`, `removed`).
 */
export function entryStateOf(report: NameReport): ShownState | null {
  const code = report.code === null ? {} : { code: report.code };
  switch (report.state) {
    case "published":
      return { state: "Ready", message: "dns entry active" };
    case "held":
      return { state: heldState(report), message: report.message, ...code };
    case "failed":
      return report.isPublished === true
        ? { state: "Stale", message: preserved(report.message), ...code }
        : { state: "Error", message: report.message, ...code };
    case "pending":
    case "removed":
      return null;
  }
}

/** What a spec that cannot be read says of itself; an edit of the entry helps, nothing else. */
export function mistakeOf({
  problems: [problem],
  objectTransfer,
}: Found<DesiredRecordSet>): Omit<ShownState, "state"> {
  const where = problem?.field === undefined ? "" : `${problem.field}: `;
  const released = objectTransfer?.transfer.release === true ? RELEASES : "";
  const message = `${where}${problem?.message ?? "not valid"}${released}`;
  return { message, isMistake: true, ...(problem && { code: problem.code }) };
}

const RELEASES = "; its annotation release asks to release its records";

/** A code that is not in the table: what counts is whether the record exists. */
function heldState({ code, isPublished: isInZone }: NameReport): EntryState {
  const states = holdReason(code ?? "")?.states ?? { absent: "Error", present: "Stale" };
  return isInZone === true ? states.present : states.absent;
}

/** Gardener's text, spelling included: tools match it. */
function preserved(message: string): string {
  return `errorneous entry preserved in provider${message === "" ? "" : `: ${message}`}`;
}
