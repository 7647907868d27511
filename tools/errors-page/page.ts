/**
 * The text of docs/reference/errors.md: one row for each code. Pure: parse ⇄ format, and the update
 * between.
 */
import type { FoundCode } from "./codes.ts";

/** One row of the page. */
export interface ErrorRow {
  readonly code: string;
  /** What it means and what to do. */
  readonly meaning: string;
  /** Where it comes from: folders below src. */
  readonly from: string;
}

const HEAD = `# Codes

Every condition, Event, hold and error that Zonekeeper reports carries one of these codes. The table is kept by
\`node script/run.mjs tools/errors-page.ts\`, which adds codes that are new in the source and drops those that are gone;
the words are edited here and stay. \`…\` stands for a name or value.

| code | meaning, and what to do | from |
|---|---|---|
`;

/** Reads the rows of a page; anything that is not a row is skipped. */
export function parsePage(text: string): readonly ErrorRow[] {
  return text.split("\n").flatMap((line) => {
    const found = /^\| `(\w+)` \| (.*) \| (.*) \|$/.exec(line);
    if (found === null) return [];
    const [, code = "", meaning = "", from = ""] = found;
    return [{ code, meaning, from }];
  });
}

/** The page with its rows sorted by code. */
export function formatPage(rows: readonly ErrorRow[]): string {
  const sorted = [...rows].sort((a, b) => (a.code < b.code ? -1 : 1));
  const lines = sorted.map(({ code, meaning, from }) => `| \`${code}\` | ${meaning} | ${from} |\n`);
  return HEAD + lines.join("");
}

/**
 * Rows for exactly the codes found: words of known ones kept, new ones with the message of the
 * source; where the source is authoritative its words always count.
 */
export function updatedRows(
  rows: readonly ErrorRow[],
  found: readonly FoundCode[],
): readonly ErrorRow[] {
  const known = new Map(rows.map((row) => [row.code, row]));
  const codes = [...new Set(found.map(({ code }) => code))];
  return codes.map((code) => {
    const findings = found.filter((finding) => finding.code === code);
    const folders = [...new Set(findings.map(({ path }) => folderOf(path)))].sort();
    const ruled = findings.find((finding) => finding.authoritative && finding.message !== "");
    const worded = findings.find((finding) => finding.message !== "");
    const meaning =
      ruled === undefined
        ? (known.get(code)?.meaning ?? toCell(worded?.message ?? ""))
        : toCell(ruled.message);
    return { code, meaning, from: folders.join(", ") };
  });
}

/** `packages/dns/src/wire/tsig/x.ts` → `wire/tsig`. */
function folderOf(path: string): string {
  return path.split("/").slice(1, -1).slice(0, 2).join("/");
}

function toCell(message: string): string {
  const text = message.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim();
  return text === "" ? "(no words yet)" : text;
}
