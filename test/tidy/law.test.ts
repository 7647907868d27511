/**
 * docs/safety.md has one row of clauses for each of its ten rules: each case, hold code and
 * capability is in one of them, and the table of removals is listed in its own order.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { HOLD_REASONS } from "../../src/plan/hold-reasons.ts";

const page = readFileSync("docs/safety.md", "utf8");
const clauses = between(page, "## Clauses", "## Cases");
const ROW = /^\| \[(\d+)\]\(#([\w-]+)\) \|(.*)\|$/gm;
const rows = [...clauses.matchAll(ROW)].map(([, number = "", anchor = "", cells = ""]) => {
  const [cases = "", holds = "", capabilities = ""] = cells.split("|");
  return { number, anchor, cases, holds, capabilities };
});

function between(text: string, from: string, to: string): string {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start);
  expect([start, end]).not.toContain(-1);
  return text.slice(start, end);
}

const inTicks = (text: string): readonly string[] =>
  [...text.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
const found = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, name = ""]) => name);
const sorted = (names: readonly string[]): readonly string[] => [...names].sort();

test("there are ten rules, each with its row", () => {
  const rules = between(page, "## The ten rules", "## Clauses");
  const anchors = found(rules, /^\d+\. <a id="([\w-]+)">/gm);
  expect(anchors).toHaveLength(10);
  expect(rows.map(({ anchor }) => anchor)).toEqual(anchors);
  expect(rows.map(({ number }) => Number(number))).toEqual(anchors.map((_, index) => index + 1));
});

test("each case is of one rule", () => {
  const cases = found(page, /^### <a id="z-(\d+)">/gm);
  expect(cases.length).toBeGreaterThan(30);
  expect(sorted(rows.flatMap((row) => found(row.cases, /\bZ-(\d+)/g)))).toEqual(sorted(cases));
});

test("each hold code is of one rule", () => {
  expect(sorted(rows.flatMap(({ holds }) => inTicks(holds)))).toEqual(
    sorted(Object.keys(HOLD_REASONS)),
  );
});

test("each capability of a back end is of one rule", () => {
  const source = readFileSync("src/providers/provider.ts", "utf8");
  const declared = found(
    between(source, "export interface Capabilities", "\n}"),
    /^ {2}readonly (\w+)/gm,
  );
  expect(declared.length).toBeGreaterThan(12);
  expect(sorted(rows.flatMap(({ capabilities }) => inTicks(capabilities)))).toEqual(
    sorted(declared),
  );
});

/** Where ABSENCE asks about the object in the marker. */
const ASKS_OBJECT = "firstOf(OBJECT, facts.object()) : null)";

test("the page lists the table of removals in its order", () => {
  const source = readFileSync("src/plan/removal/table.ts", "utf8");
  const [listers = "", later = ""] = between(source, "const ABSENCE", "const OBJECT").split(
    ASKS_OBJECT,
  );
  const object = between(source, "const OBJECT", "export const RECORD");
  const others = between(source, "export const RECORD", "/** Whether it is proven");
  const lines = found([listers, object, later, others].join(""), /hold: "(\w+)"/g);
  expect(lines.length).toBeGreaterThan(20);
  const listed = inTicks(between(clauses, "\n1. ", "\nThen come the guards"));
  expect(withoutRepeats(listed)).toEqual(withoutRepeats(lines));
});

/** Two lines that follow each other with one code are one reason. */
function withoutRepeats(codes: readonly string[]): readonly string[] {
  return codes.filter((code, index) => code !== codes[index - 1]);
}

/** Of the glossary, besides what RFC 9499 and Kubernetes say. */
const KNOWN_AT_FIRST: ReadonlySet<string> = new Set(["owner", "plan"]);

test("README needs nothing of our glossary but owner and plan before it is tried", () => {
  const glossary = readFileSync("docs/glossary.md", "utf8");
  const table = between(glossary, "## Our words", "## Retired words");
  const names = found(table, /^\| ([a-z][a-z -]+?)(?: \([a-z -]+\))? \|/gm).slice(1);
  expect(names.length).toBeGreaterThan(30);
  const intro = between(readFileSync("README.md", "utf8"), "# Zonekeeper", "## Try it");
  const needed = names.filter((name) => new RegExp(`\\b${name}s?\\b`).test(intro));
  expect(needed.filter((name) => !KNOWN_AT_FIRST.has(name))).toEqual([]);
});
