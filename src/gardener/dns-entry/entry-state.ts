/**
 * Which state an entry gets from its name's report; for holds `plan/hold-reasons.ts` decides
 * (Z-19). Pure.
 */
import { holdReason } from "../../plan/hold-reasons.ts";
import type { NameReport } from "../../sync/contract/contribution-report.ts";
import type { EntryState } from "./entry.ts";

/**
 * State and message of an entry whose name stands like this; null = the name is still being worked
 * on.
 */
export interface Standing {
  readonly state: EntryState;
  readonly message: string;
}

/**
 * Judges one name. `published` and trouble are final until the next report; `pending` and `removed`
 * are not.
 */
export function standingOf(report: NameReport): Standing | null {
  switch (report.state) {
    case "published":
      return { state: "Ready", message: "dns entry active" };
    case "held":
      return { state: heldState(report), message: report.message };
    case "failed":
      return report.isPublished
        ? { state: "Stale", message: preserved(report.message) }
        : { state: "Error", message: report.message };
    case "pending":
    case "removed":
      return null;
  }
}

/** A code that is not in the table says at least whether something stands. */
function heldState({ code, isPublished: standing }: NameReport): EntryState {
  const states = holdReason(code ?? "")?.states ?? { absent: "Error", present: "Stale" };
  return standing ? states.present : states.absent;
}

/** Gardener's text, spelling included: tools match it. */
function preserved(message: string): string {
  return `errorneous entry preserved in provider${message === "" ? "" : `: ${message}`}`;
}
