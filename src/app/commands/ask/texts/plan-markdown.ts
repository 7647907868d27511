/**
 * A plan as Markdown, for a comment on a pull request. Whatever is in it, it stays below the size
 * that GitHub accepts. Pure.
 */
import type { PlanDocument, PlanZone } from "../../../api/plan/document.ts";
import type { PlanGroup } from "../../../api/plan/groups.ts";
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

/**
 * Characters. GitHub refuses comments of more than 65 536 ("body is too long", REST API of issues).
 */
export const MARKDOWN_MAX = 60_000;
/**
 * Characters for each part of the head; the rest is for changes. A table or list ends where its
 * part is full.
 */
const HEAD_ROOM = { zones: 14_000, remarks: 14_000, held: 12_000 } as const;
/** Rows of a table. */
const ROWS_MAX = 100;
/** Characters of one line. */
const LINE_MAX = 400;
/**
 * Characters of what is around the lines of a section: tags, a title (escaped), and two fences as
 * long as a line.
 */
const FRAME = 3_000;

/** A closing newline. */
export function planMarkdown(document: PlanDocument): string {
  const { zones, groups, summary } = document;
  const head = [
    `### Zonekeeper plan: ${totalText(document)}`,
    "",
    ...(zones.length === 0 ? ["No zone is open."] : zoneTable(zones)),
    ...remarkLines([
      ...(document.dryRun ? [document.dryRun] : []),
      ...document.firstContact,
      ...blindLines(document),
      ...zones.flatMap(zoneRemarks),
    ]),
    ...heldTable(document),
  ];
  const tail = (omitted: number): string =>
    omitted === 0
      ? ""
      : `\n_${omitted} more are not listed; \`zonekeeper plan --all\` shows them._\n`;
  let text = `${head.join("\n")}\n`;
  let omitted = summary.omitted;
  for (const group of groups) {
    const items = fitting(group, MARKDOWN_MAX - text.length);
    omitted += group.items.length - items.length;
    if (items.length > 0) text += section({ ...group, items });
  }
  return `${text}${tail(omitted)}`;
}

function zoneTable(zones: readonly PlanZone[]): readonly string[] {
  const rows = zones.map((zone) =>
    row([zone.name, ...KINDS.map((kind) => zone.counts[kind]), zoneNote(zone)]),
  );
  const { shown, hidden } = roomFor(rows, HEAD_ROOM.zones);
  return [
    row(["zone", ...KINDS, ""]),
    row(["---", ...KINDS.map(() => "---:"), "---"]),
    ...shown,
    ...(hidden > 0 ? ["", `and ${hidden} more zones`] : []),
  ];
}

function remarkLines(all: readonly string[]): readonly string[] {
  const lines = [...new Set(all)].map((line) => `- ${cell(line)}`);
  const { shown, hidden } = roomFor(lines, HEAD_ROOM.remarks);
  if (lines.length === 0) return [];
  return [
    "",
    ...shown,
    ...(hidden > 0 ? [`- and ${hidden} more remarks: \`zonekeeper plan\``] : []),
  ];
}

function heldTable({ summary: { held } }: PlanDocument): readonly string[] {
  if (held.length === 0) return [];
  const rows = held.map(({ code, count, heldCounts, meaning, remedy }) =>
    row([`\`${code}\`${heldCountsText(heldCounts)}`, count, `${meaning} ${remedy}`]),
  );
  const { shown, hidden } = roomFor(rows, HEAD_ROOM.held);
  const more = hidden > 0 ? ["", `and ${hidden} more reasons`] : [];
  return ["", row(["held", "", "what it means"]), row(["---", "---:", "---"]), ...shown, ...more];
}

/** The first lines that have room together, newlines counted, and how many are left out. */
function roomFor(
  lines: readonly string[],
  room: number,
): { readonly shown: readonly string[]; readonly hidden: number } {
  let left = room;
  const full = lines.slice(0, ROWS_MAX).findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  const shown = lines.slice(0, full === -1 ? ROWS_MAX : full);
  return { shown, hidden: lines.length - shown.length };
}

/** As many of its items as find room; a frame of its own is counted for the group. */
function fitting(group: PlanGroup, room: number): PlanGroup["items"] {
  let left = room - FRAME;
  const titled = isTitled(group);
  const last = group.items.findIndex((item) => {
    left -= clipped(itemLine(item, titled)).length + 1;
    return left < 0;
  });
  return last === -1 ? group.items : group.items.slice(0, last);
}

function section(group: PlanGroup): string {
  const titled = isTitled(group);
  const lines = group.items.map((item) => clipped(itemLine(item, titled)));
  // A fence ends at a run of as many backticks (CommonMark §4.5); a TXT value may hold some.
  const longest = Math.max(
    2,
    ...lines.flatMap((line) => line.match(/`+/g) ?? []).map((run) => run.length),
  );
  const fence = "`".repeat(longest + 1);
  const summary = `<summary>${cell(groupTitle(group))}</summary>`;
  return `\n<details>${summary}\n\n${fence}diff\n${lines.join("\n")}\n${fence}\n\n</details>\n`;
}

function clipped(line: string): string {
  return line.length <= LINE_MAX ? line : `${line.slice(0, LINE_MAX - 1)}…`;
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.map((each) => cell(String(each))).join(" | ")} |`;
}

/** No cell ends early, and nothing in it is taken for HTML. */
function cell(text: string): string {
  return clipped(text.replace(/\s+/g, " ")).replace(/\|/g, "\\|").replace(/</g, "&lt;");
}
