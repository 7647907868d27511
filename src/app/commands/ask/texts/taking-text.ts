/** `owner take` for people: what the fences become, and the records beside them. Pure. */
import { printable } from "../../../../model/printable.ts";
import type { FenceTaking } from "../../../../sync/contract/fence-status.ts";
import type { TakeDocument, TakePreviewDocument } from "../../../api/documents.ts";
import { previewText, resultText, shownText } from "./rights-text.ts";

/** What would be written. */
export function takePreviewText({ zones, records, shown }: TakePreviewDocument): string {
  const command = { verb: "transfer", from: null, to: null } as const;
  const preview = records.length === 0 ? "" : previewText(records, command);
  return `${takingText(zones, true, preview)}${shownText(shown)}`;
}

/** What was written. */
export function takeText({ zones, records }: TakeDocument): string {
  return `${takingText(zones, false)}${records.length === 0 ? "" : resultText(records)}`;
}

/** One block for each zone, then `records`, which is empty or ends a line; a closing newline. */
function takingText(zones: readonly FenceTaking[], dryRun: boolean, records = ""): string {
  const blocks = zones.map((taking) => `${zoneText(taking, dryRun)}\n`);
  const failed = zones.filter((zone) => "trouble" in zone).length;
  const end = endLines(zones.length, failed, dryRun).join("\n");
  return `${blocks.join("")}${records}${end}\n`;
}

function zoneText(taking: FenceTaking, dryRun: boolean): string {
  if ("trouble" in taking) {
    const what = dryRun ? "cannot be read" : "not taken";
    return `zone ${taking.zone}\n  ${what}: ${printable(taking.trouble)}`;
  }
  const { zone, now, next } = taking;
  return `zone ${zone}\n  fence now:  ${printable(now)}\n  ${dryRun ? "would be:" : "is:      "}  ${printable(next)}`;
}

function endLines(all: number, failed: number, dryRun: boolean): readonly string[] {
  if (failed === 0) return [dryRun ? LOOKED : TAKEN];
  const rest = `${failed} of ${all} zones could not be ${dryRun ? "read" : "taken"}. Repeat the command when they can be reached.`;
  if (failed === all) return [rest];
  return [dryRun ? LOOKED : TAKEN.replace("these zones", "the zones that were taken"), rest];
}

const LOOKED =
  "Nothing was written. Make sure that the other installation is stopped or has another --owner, then repeat with --yes.";
const TAKEN = "Taken. The other installation no longer writes to these zones; this one does.";
