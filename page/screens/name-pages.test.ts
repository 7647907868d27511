import { expect, test } from "vitest";
import { ApiError } from "../api.ts";
import type { NameRow } from "../contract.ts";
import {
  askedPage,
  type Loaded,
  NOTHING,
  PAGE,
  type Shown,
  withError,
  withPage,
  withTold,
} from "./name-pages.ts";

const PATH = "names?limit=200";
const ANY: Shown = { zone: null, text: null };

const rowsOf = (zone: string, first: number, count = PAGE) =>
  Array.from({ length: count }, (_, at) => {
    const name = `n${String(first + at * 2).padStart(4, "0")}.${zone}`;
    return { zone, name } as NameRow;
  });

/** Pages one after another; the last one has a next one where `isMore`. */
function listOf(pages: readonly (readonly NameRow[])[], isMore = true): Loaded {
  return pages.reduce((last, rows, index) => {
    const next = index < pages.length - 1 || isMore ? `after ${index}` : null;
    const after = index === 0 ? "" : `after ${index - 1}`;
    const answer = { index, after, rows, next, now: "", total: 1_000, turn: last.turn };
    return withPage(last, PATH, answer);
  }, NOTHING);
}

const told = (name: string, zone = "example.org") => ({
  zones: [{ zone, names: name === "" ? [] : [`${name}.${zone}`], more: 0 }],
});

/** Names of even numbers from 1000 to 1398, then from 1400 to 1798. */
const TWO = listOf([rowsOf("example.org", 1000), rowsOf("example.org", 1400)]);

test.each([
  ["a name in sight", told("n1004"), [0, 60], 0],
  ["a name that comes between those in sight", told("n1005"), [0, 60], 0],
  ["a name that comes before all", told("a"), [0, 60], 0],
  ["a name of the next page, out of sight", told("n1400"), [0, 60], null],
  ["a name that comes after all that are loaded", told("z"), [0, 60], null],
  ["a name of the page in sight", told("n1500"), [250, 300], 1],
  ["a name that comes between two pages", told("n1399"), [250, 300], 1],
  ["a name above those in sight", told("n1004"), [250, 300], null],
  ["the zone as a whole", told(""), [0, 60], 0],
  ["a name of a zone that comes after it", told("n1004", "example.zone"), [0, 60], null],
  ["a name of a zone that comes before it", told("n1004", "example.a"), [0, 60], 0],
  ["anything", null, [0, 60], 0],
] as const)("told: %s", (_title, news, sight, index) => {
  const heard = withTold(TWO, news, { sight, shown: ANY });
  expect(askedPage(heard, PATH, sight)?.index ?? null).toBe(index);
});

test.each([
  ["with the text, new", "example.org", "n10", told("n1005"), 0],
  ["without the text", "example.org", "N12", told("n1005"), null],
  ["of another zone", "example.org.", null, told("n1005", "example.net"), null],
  ["of the zone, after all", "example.org", null, told("z"), 0],
] as const)("a short list: a name %s", (_title, zone, text, news, index) => {
  const heard = withTold(listOf([rowsOf("example.org", 1000, 3)], false), news, {
    sight: [0, 60],
    shown: { zone, text },
  });
  expect(askedPage(heard, PATH, [0, 60])?.index ?? null).toBe(index);
});

test("an empty list asks about a name of any zone, and one that is not listed may be any", () => {
  const empty = listOf([[]], false);
  const shown = { zone: "bücher.example", text: null };
  const heard = withTold(empty, told("www", "xn--bcher-kva.example"), { sight: [0, 60], shown });
  expect(askedPage(heard, PATH, [0, 60])).toEqual({ index: 0, after: "" });
  const many = { zones: [{ zone: "example.org", names: ["z.example.org"], more: 1 }] };
  const asks = withTold(TWO, many, { sight: [0, 60], shown: ANY });
  expect(askedPage(asks, PATH, [0, 60])).toEqual({ index: 0, after: "" });
});

test.each([
  ["in the first one", "n9000", 0],
  ["in the second one", "a", 0],
  ["after the page", "n0500", null],
])("two zones of one apex on a page: a name that may be %s", (_title, name, index) => {
  const both = [...rowsOf("example.org", 8000, 150), ...rowsOf("example.org", 100, 50)];
  const heard = withTold(listOf([rowsOf("example.org", 7000), both]), told(name), {
    sight: [250, 300],
    shown: ANY,
  });
  expect(askedPage(heard, PATH, [250, 300])?.index ?? null).toBe(index === null ? null : 1);
});

test("an answer that was asked for before something was told is asked for again", () => {
  const asked = { index: 0, after: "", next: "after 0", rows: rowsOf("example.org", 1000) };
  const heard = withTold(TWO, told("n1004"), { sight: [0, 60], shown: ANY });
  const late = withPage(heard, PATH, { ...asked, now: "", total: 1, turn: TWO.turn });
  expect(askedPage(late, PATH, [0, 60])?.index).toBe(0);
  const again = withPage(late, PATH, { ...asked, now: "", total: 1, turn: late.turn });
  expect(askedPage(again, PATH, [0, 60])).toBeNull();
});

test("what was told out of sight is asked for once it is in sight", () => {
  const heard = withTold(TWO, told("n1404"), { sight: [0, 60], shown: ANY });
  expect(askedPage(heard, PATH, [180, 260])).toEqual({ index: 1, after: "after 0" });
  expect(askedPage(TWO, PATH, [380, 400])).toEqual({ index: 2, after: "after 1" });
});

test("names that came or went: what follows is asked for anew, another path begins anew", () => {
  const rows = rowsOf("example.org", 1000);
  const answer = { index: 0, after: "", rows, next: "elsewhere", now: "", total: 1, turn: 0 };
  expect(withPage(TWO, PATH, answer).pages).toHaveLength(1);
  expect(withPage(TWO, "names?text=a", { ...answer, next: "after 0" }).pages).toHaveLength(1);
  expect(askedPage(TWO, "names?text=a", [300, 400])).toEqual({ index: 0, after: "" });
});

test("after an error, whatever is told leads to the question again; what is known stays", () => {
  const error = new ApiError("NotReached", "gone", 0);
  const failed = withError(TWO, PATH, error);
  expect(failed).toEqual({ ...TWO, error });
  const heard = withTold(failed, told("z"), { sight: [0, 60], shown: ANY });
  expect([heard.error, heard.answers]).toEqual([null, TWO.answers + 1]);
  expect(withError(heard, "names?text=a", error)).toEqual({ ...NOTHING, turn: 1, error });
});
