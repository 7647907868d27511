/**
 * A plan as text for a terminal or a pipe: the summary first, then the changes by zone and kind.
 * Pure.
 */
import type { PlanDocument, PlanZone } from "../../../api/plan/document.ts";
import type { PlanGroup, PlanItem } from "../../../api/plan/groups.ts";
import {
  blindLines,
  groupTitle,
  heldCountsText,
  isTitled,
  itemLine,
  KINDS,
  totalText,
  zoneNote,
  zoneRemarks,
} from "./plan-lines.ts";

/** How the terminal is: its columns, null = no terminal; longer lines are cut. */
interface TextStyle {
  readonly width: number | null;
  readonly color: boolean;
}

/** Zones that have a row of their own though nothing is to do there. */
const IDLE_ZONES_MAX = 10;
const WIDTH_MIN = 40;

const COLORS: Readonly<Record<PlanItem["op"], number>> = {
  create: 32,
  replace: 33,
  remove: 31,
  marker: 36,
  held: 35,
};

/** A closing newline. */
export function planText(document: PlanDocument, style: TextStyle): string {
  const { zones, groups, summary, dryRun = null } = document;
  const troubles = blindLines(document);
  if (zones.length === 0) {
    const lines = ["No zone is open: no provider is ready.", ...troubles];
    return `${[...(dryRun === null ? [] : [dryRun]), ...lines].join("\n")}\n`;
  }
  const clip = clipTo(style.width);
  const remarks = [...new Set(zones.flatMap(zoneRemarks))];
  const blocks = [
    dryRun === null ? [] : [wrapped(dryRun, style.width)],
    document.firstContact.map((line) => wrapped(line, style.width)),
    [clip(`Plan: ${totalText(document)}`), "", ...zoneTable(zones).map(clip)],
    [...troubles, ...remarks].map((line) => wrapped(line, style.width)),
    reasonLines(document).map((line) => wrapped(line, style.width)),
    ...groups.filter(({ items }) => items.length > 0).map((group) => groupLines(group, style)),
    summary.omitted === 0
      ? []
      : [
          clip(
            `${summary.omitted} more are not listed: --limit N or --all, --zone, --name show them.`,
          ),
        ],
  ];
  const full = blocks.filter((block) => block.length > 0).map((block) => block.join("\n"));
  return `${full.join("\n\n")}\n`;
}

function zoneTable(zones: readonly PlanZone[]): readonly string[] {
  const isIdle = (zone: PlanZone): boolean => zoneNote(zone) === "nothing to do";
  const idle = zones.filter(isIdle).slice(0, IDLE_ZONES_MAX);
  const rows = zones.filter((zone) => !isIdle(zone) || idle.includes(zone));
  const cells = [
    ["zone", ...KINDS, ""],
    ...rows.map((zone) => [
      zone.name,
      ...KINDS.map((kind) => (zone.counts[kind] === 0 ? "-" : String(zone.counts[kind]))),
      zoneNote(zone),
    ]),
  ];
  const hidden = zones.length - rows.length;
  const rest = hidden === 0 ? [] : [`and ${hidden} more zones with nothing to do`];
  return [...aligned(cells), ...rest];
}

/** The first column to the left, numbers to the right, the last one as it is. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const last = KINDS.length + 1;
  const widthOf = (column: number): number =>
    rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0);
  const widths = Array.from({ length: last }, (_, column) => widthOf(column));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        if (column === 0) return cell.padEnd(widths[0] ?? 0);
        return column === last ? cell : cell.padStart(widths[column] ?? 0);
      })
      .join("  ")
      .trimEnd(),
  );
}

function reasonLines({ summary }: PlanDocument): readonly string[] {
  const why = summary.reasons.map(({ code, count }) => `${count} ${code}`);
  return [
    ...(why.length === 0 ? [] : [`Why: ${why.join(", ")}`]),
    ...summary.held.map(
      ({ code, count, heldCounts, meaning, remedy }) =>
        `Held: ${count} ${code}${heldCountsText(heldCounts)}. ${meaning} ${remedy}`,
    ),
  ];
}

function groupLines(group: PlanGroup, { width, color }: TextStyle): readonly string[] {
  const clip = clipTo(width);
  const paint = (line: string): string =>
    color ? `\u001b[${COLORS[group.op]}m${line}\u001b[0m` : line;
  const titled = isTitled(group);
  const lines = group.items.map((item) => paint(clip(`  ${itemLine(item, titled)}`)));
  return [wrapped(groupTitle(group), width), ...lines];
}

function clipTo(width: number | null): (line: string) => string {
  if (width === null) return (line) => line;
  const most = Math.max(width, WIDTH_MIN);
  return (line) => (line.length <= most ? line : `${line.slice(0, most - 1)}…`);
}

/** Breaks a sentence at spaces; further lines are indented. */
function wrapped(text: string, width: number | null): string {
  if (width === null) return text;
  const most = Math.max(width, WIDTH_MIN);
  const lines: string[] = [];
  let line = "";
  for (const chunk of text.split(" ")) {
    const next = line === "" ? chunk : `${line} ${chunk}`;
    if (next.length > most && line.trim() !== "") {
      lines.push(line);
      line = `  ${chunk}`;
    } else line = next;
  }
  return [...lines, line].join("\n");
}
