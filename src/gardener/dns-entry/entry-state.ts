/**
 * Which state an entry gets from its name's report; for holds `plan/hold-reasons.ts` decides
 * (Z-19). Pure.
 */
import { holdReason } from "../../plan/hold-reasons.ts";
import type { NameReport } from "../../sync/contract/contribution-report.ts";
import type { EntryState } from "./entry.ts";

/**
 * State and message of an entry, as its status shows them.
 */
export interface ShownState {
  readonly state: EntryState;
  readonly message: string;
}

/**
 * The state that a report gives to its entry; null = the change of the name has not ended yet
 * (`pending`, `removed`).
 */
export function entryStateOf(report: NameReport): ShownState | null {
  switch (report.state) {
    case "published":
      return { state: "Ready", message: "dns entry active" };
    case "held":
      return { state: heldState(report), message: report.message };
    case "failed":
      return report.isPublished === true
        ? { state: "Stale", message: preserved(report.message) }
        : { state: "Error", message: report.message };
    case "pending":
    case "removed":
      return null;
  }
}

/** A code that is not in the table: what counts is whether the record exists. */
function heldState({ code, isPublished: isInZone }: NameReport): EntryState {
  const states = holdReason(code ?? "")?.states ?? { absent: "Error", present: "Stale" };
  return isInZone === true ? states.present : states.absent;
}

/** Gardener's text, spelling included: tools match it. */
function preserved(message: string): string {
  return `errorneous entry preserved in provider${message === "" ? "" : `: ${message}`}`;
}
