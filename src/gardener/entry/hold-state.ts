/** Which state an entry gets from its name's report. One table; nothing maps to Invalid (Z-19). */
import type { NameReport } from "../../sync/contract.ts";
import type { EntryState } from "./entry.ts";

/** Holds that pass by themselves; an entry that has nothing in the zone yet is Pending, not in Error. */
const PASSING: ReadonlySet<string> = new Set(["NotSynced", "FuseTripped", "Paused", "DryRun"]);

/** State and message of an entry whose name stands like this; null = the name is still being worked on. */
export interface Standing {
  readonly state: EntryState;
  readonly message: string;
}

/** Judges one name. `published` and trouble are final until the next report; `pending` and `removed` are not. */
export function standingOf(report: NameReport): Standing | null {
  switch (report.state) {
    case "published":
      return { state: "Ready", message: "dns entry active" };
    case "held":
      return { state: heldState(report), message: report.message };
    case "failed":
      return report.standing
        ? { state: "Stale", message: preserved(report.message) }
        : { state: "Error", message: report.message };
    case "pending":
    case "removed":
      return null;
  }
}

function heldState(report: NameReport): EntryState {
  if (report.standing) return "Stale";
  return PASSING.has(report.code ?? "") ? "Pending" : "Error";
}

/** Gardener's text, spelling included: tools match it. */
function preserved(message: string): string {
  return `errorneous entry preserved in provider${message === "" ? "" : `: ${message}`}`;
}
