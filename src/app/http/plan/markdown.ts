/** A plan as Markdown for a comment on a pull request. Stays below the size that GitHub takes, whatever is in it. Pure. */
import type { PlanDocument, PlanGroup, PlanZone } from "./document.ts";
import {
  groupTitle,
  itemLine,
  KINDS,
  providerLine,
  totalText,
  zoneNote,
  zoneRemarks,
} from "./lines.ts";

/** Characters. GitHub refuses comments of more than 65 536 ("body is too long", REST API of issues). */
export const MARKDOWN_MAX = 60_000;
/** Rows of a table. */
const ROWS_MAX = 100;
/** Characters of what is around the lines of a section: title, fences, tags. */
const FRAME = 700;
/** Characters of one line. */
const LINE_MAX = 400;

/** A closing newline. */
export function planMarkdown(document: PlanDocument): string {
  const { zones, groups, summary, providers } = document;
  const head = [
    `### Zonekeeper plan: ${totalText(summary.counts)}`,
    "",
    ...(zones.length === 0 ? ["No zone is open."] : zoneTable(zones)),
    ...remarkLines([...providers.map(providerLine), ...zones.flatMap(zoneRemarks)]),
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
  const rows = zones
    .slice(0, ROWS_MAX)
    .map((zone) => row([zone.name, ...KINDS.map((kind) => zone.counts[kind]), zoneNote(zone)]));
  const hidden = zones.length - rows.length;
  return [
    row(["zone", ...KINDS, ""]),
    row(["---", ...KINDS.map(() => "---:"), "---"]),
    ...rows,
    ...(hidden > 0 ? ["", `and ${hidden} more zones`] : []),
  ];
}

function remarkLines(all: readonly string[]): readonly string[] {
  const remarks = [...new Set(all)].slice(0, ROWS_MAX);
  return remarks.length === 0 ? [] : ["", ...remarks.map((line) => `- ${cell(line)}`)];
}

function heldTable({ summary: { held } }: PlanDocument): readonly string[] {
  if (held.length === 0) return [];
  const rows = held.map(({ code, count, meaning, remedy }) =>
    row([`\`${code}\``, count, `${meaning} ${remedy}`]),
  );
  return ["", row(["held", "", "what it means"]), row(["---", "---:", "---"]), ...rows];
}

/** As many of its items as find room; a frame of its own is counted for the group. */
function fitting(group: PlanGroup, room: number): PlanGroup["items"] {
  let left = room - FRAME;
  const last = group.items.findIndex((item) => {
    left -= clipped(itemLine(item)).length + 1;
    return left < 0;
  });
  return last === -1 ? group.items : group.items.slice(0, last);
}

function section(group: PlanGroup): string {
  const lines = group.items.map((item) => clipped(itemLine(item)));
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
