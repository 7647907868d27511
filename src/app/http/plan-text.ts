/** What is wanted and not so, for people. Pure; the order is that of the engine: zones, then names. */
import type { NamePlan } from "../../plan/changes.ts";
import type { FenceStatus, HeldSetStatus, ZoneStatus } from "../../sync/contract.ts";
import { changeText } from "./record-text.ts";

/** One block for each zone; a closing newline. */
export function planText(zones: readonly ZoneStatus[]): string {
  if (zones.length === 0) return "No zone is open: no DNSProvider is ready.\n";
  return `${zones.map(zoneText).join("\n\n")}\n`;
}

function zoneText(status: ZoneStatus): string {
  const { zone, state, message, ownedNames, foreignNames, open, heldSets, fence } = status;
  const reason = message === null ? "" : ` (${message})`;
  const heading = `zone ${zone.name} at ${zone.endpoint}: ${state}${reason}, ${ownedNames} of our names, ${foreignNames} of others`;
  const head = [heading, ...(fence === undefined ? [] : fenceLines(fence))].join("\n");
  if (open.length === 0)
    return `${head}\n  ${state === "ready" ? "nothing to do" : "nothing known"}`;
  return [head, ...heldSets.map(setLine), ...open.flatMap(nameLines)].join("\n");
}

/** Only what is not as usual needs words. */
function fenceLines({ mode, code, message }: FenceStatus): readonly string[] {
  if (mode === "stopped") return [`  nothing is written: ${code}: ${message}`];
  return mode === "lease" ? [`  fencing: lease (${message})`] : [];
}

const SETS: Readonly<Record<HeldSetStatus["kind"], string>> = {
  removals: "the fuse holds a set of removals",
  "next-removals": "the next set, while that one waits: removals that came later",
  updates: "the fuse holds a set of updates",
};

function setLine({ hash, kind, changes }: HeldSetStatus): string {
  return `  ${SETS[kind]} (${changes}); zonekeeper approve ${hash} lets it pass`;
}

function nameLines({ name, changes, holds }: NamePlan): readonly string[] {
  return [
    ...changes.map((change) => `  ${name}: ${changeText(change)}   ${change.reason.code}`),
    ...holds.map((hold) => `  ${name}: held ${hold.key.type}: ${hold.code}: ${hold.message}`),
  ];
}
