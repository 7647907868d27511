/** What a list of names has of all names, page by page, and which of its pages is to be asked for next. */
import type { ApiError } from "../api.ts";
import type { NameRow, NamesDocument } from "../contract.ts";
import type { Told } from "../live.ts";

/** Names in one answer, the most that there are. */
export const PAGE = 200;

/** One answer. */
interface NamesPage {
  /** Of the question; empty = the first one. */
  readonly after: string;
  readonly rows: readonly NameRow[];
  readonly next: string | null;
  /** As of which turn it is. */
  readonly turn: number;
}

/** What was had; of another path until the first answer of a new one. */
export interface Loaded {
  readonly path: string;
  readonly pages: readonly NamesPage[];
  /** Of all names, when it was answered (RFC 3339). */
  readonly counted: Pick<NamesDocument, "now" | "total"> | null;
  readonly error: ApiError | null;
  /** How many came: after each the next question is looked for. */
  readonly answers: number;
  /** How often something was told. */
  readonly turn: number;
}

export const NOTHING: Loaded = {
  path: "",
  pages: [],
  counted: null,
  error: null,
  answers: 0,
  turn: 0,
};

/** Rows in sight, the last one not included. */
export type Sight = readonly [from: number, to: number];

/** Filters of a list as somebody wrote them; null = any. Others hide more. */
export interface Shown {
  readonly zone: string | null;
  /** Part of the name. */
  readonly text: string | null;
}

/** The first page in sight that is not there as it is now; null = all are. */
export function askedPage(
  { path: known, pages, turn }: Loaded,
  path: string,
  sight: Sight,
): { readonly index: number; readonly after: string } | null {
  if (known !== path) return { index: 0, after: "" };
  let row = 0;
  for (const [index, page] of pages.entries()) {
    const end = row + page.rows.length;
    if (page.turn < turn && isInSight(row, end, sight)) return { index, after: page.after };
    row = end;
  }
  const after = pages.at(-1)?.next ?? null;
  return after !== null && sight[1] >= row ? { index: pages.length, after } : null;
}

interface Answered extends Pick<NamesDocument, "rows" | "next" | "total" | "now"> {
  readonly index: number;
  readonly after: string;
  readonly turn: number;
}

/** Where names came or went, what follows the page begins elsewhere now, and is asked for anew. */
export function withPage(last: Loaded, path: string, answer: Answered): Loaded {
  const { index, total, now, after, rows, next, turn } = answer;
  const pages = last.path === path ? last.pages : [];
  const rest = pages[index]?.next === next ? pages.slice(index + 1) : [];
  const all = [...pages.slice(0, index), { after, rows, next, turn }, ...rest];
  const answers = last.answers + 1;
  return { ...last, path, pages: all, counted: { now, total }, error: null, answers };
}

export function withError(last: Loaded, path: string, error: ApiError): Loaded {
  return last.path === path ? { ...last, error } : { ...NOTHING, turn: last.turn, error };
}

/**
 * Pages in sight stay as of now where no name that is told (null = any) is in them or could come
 * between their rows; the others are asked for again once they are in sight.
 */
export function withTold(
  last: Loaded,
  told: Told | null,
  { sight, shown }: { readonly sight: Sight; readonly shown: Shown },
): Loaded {
  const turn = last.turn + 1;
  let [row, before] = [0, ""];
  const pages = last.pages.map((page) => {
    const [from, end, start] = [row, row + page.rows.length, before];
    const lastRow = page.rows.at(-1);
    [row, before] = [end, lastRow === undefined ? before : placeOf(lastRow)];
    const isNow = page.turn === last.turn && isInSight(from, end, sight);
    return isNow && told !== null && !isAboutPage(told, page, { start, shown })
      ? { ...page, turn }
      : page;
  });
  const answers = last.answers + (last.error === null ? 0 : 1);
  return { ...last, pages, turn, answers, error: null };
}

function isInSight(row: number, end: number, [from, to]: Sight): boolean {
  return row < to && end >= from;
}

/** `start`: the place before its first row. */
function isAboutPage(
  { zones }: Told,
  page: NamesPage,
  { start, shown }: { readonly start: string; readonly shown: Shown },
): boolean {
  const text = shown.text?.toLowerCase() ?? "";
  return zones.some(({ zone, names, more }) => {
    const isOther = shown.zone !== null && page.rows.length > 0 && page.rows[0]?.zone !== zone;
    if (isOther) return false;
    if (more > 0 || names.length === 0) return true;
    return names.some((name) => name.includes(text) && mayHold(page, start, { zone, name }));
  });
}

/** Of a page that ends for another reason than that it is full, nobody knows where. */
function mayHold(
  { rows, next }: NamesPage,
  start: string,
  named: Parameters<typeof placeOf>[0],
): boolean {
  if (next === null || rows.length < PAGE) return true;
  const place = placeOf(named);
  let before = start;
  return rows.some((row) => {
    const [from, at] = [before, placeOf(row)];
    before = at;
    // Zones of one apex follow one another: there, names begin anew.
    return from < at ? from < place && place <= at : place > from || place <= at;
  });
}

/** In the order of the instance. */
function placeOf({ zone, name }: { readonly zone: string; readonly name: string }): string {
  return `${zone} ${name}`;
}
