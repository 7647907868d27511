/**
 * Which state, one of Gardener's, an object gets from what a zone reported about a name of it. For
 * a held change the reason of the hold decides (`plan/hold-reasons.ts`). The same for every kind.
 * Pure.
 */
import { holdReason } from "../../plan/hold-reasons.ts";
import type { NameReport } from "../../sync/contract/contribution.ts";

/** State and message, as a status shows them. */
export interface ReportedState {
  readonly state: "Ready" | "Pending" | "Stale" | "Error";
  readonly message: string;
  /** Code of docs/reference/errors.md; absent = the state needs no further cause. */
  readonly code?: string;
}

/**
 * The state that a report gives to its object; null = it gives none: a change is not over
 * (`pending`), or the record was removed as wanted (`removed`).
 */
export function reportedState(report: NameReport): ReportedState | null {
  const { message } = report;
  const code = report.code === null ? {} : { code: report.code };
  switch (report.state) {
    case "published":
      return { state: "Ready", message: "dns entry active" };
    case "held": {
      const states = holdReason(report.code ?? "")?.states ?? { absent: "Error", present: "Stale" };
      const state = report.isPublished === true ? states.present : states.absent;
      return { state, message, ...code };
    }
    case "failed":
      return report.isPublished === true
        ? {
            state: "Stale",
            message: `${PRESERVED}${message === "" ? "" : `: ${message}`}`,
            ...code,
          }
        : { state: "Error", message, ...code };
    case "pending":
    case "removed":
      return null;
  }
}

/** Gardener's text, spelling included: tools match it. */
const PRESERVED = "errorneous entry preserved in provider";
