/**
 * Codes in the source ⇄ docs/reference/errors.md, both ways (docs/style.md rule 13); and the finder
 * of codes itself.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { codesIn } from "../../tools/errors-page/codes.ts";
import { formatPage, parsePage, updatedRows } from "../../tools/errors-page/page.ts";
import { productionFiles } from "../../tools/measure/source-files.ts";

const HINT = "run: node script/run.mjs tools/errors-page.ts";
const inSource = [
  ...new Set(
    productionFiles(".")
      .flatMap(codesIn)
      .map(({ code }) => code),
  ),
].sort();
const rows = parsePage(readFileSync("docs/reference/errors.md", "utf8"));

test("every code in the source is on the page, and every code on the page is in the source", () => {
  expect(rows.map(({ code }) => code).sort(), HINT).toEqual(inSource);
});

test("every code on the page says what it means (write its words into the page)", () => {
  const silent = rows.filter(
    ({ meaning }) => meaning.trim() === "" || meaning.includes("no words"),
  );
  expect(silent.map(({ code }) => code)).toEqual([]);
});

describe("the finder", () => {
  const codes = (text: string) => codesIn({ path: "src/a/b/c.ts", text }).map(({ code }) => code);

  test.each([
    ["a property", 'f({ code: "BadName", message: "m" });', ["BadName"]],
    [
      "both sides of a choice",
      'f({ code: x === "Other" ? "BadName" : "BadType" });',
      ["BadName", "BadType"],
    ],
    [
      "the types of a union",
      'interface A { readonly code: "BadName" | "BadType"; }',
      ["BadName", "BadType"],
    ],
    ["an argument", 'function f(a: string, code: string) {}\nf("Other", "BadName");', ["BadName"]],
    [
      "an argument of a method",
      'class A { #f(code: string) { this.#f("BadName"); } }',
      ["BadName"],
    ],
    ["an argument of retryable", 'retryable("BadName", "m");', ["BadName"]],
    ["an argument of permanent", 'permanent("BadName", "m");', ["BadName"]],
    ["a fallback", 'f({ code: x ?? "BadName" });', ["BadName"]],
    [
      "a table of reasons",
      'const HOLD_REASONS = { NoTargets: { code: 1 }, "Other": {} } as const;',
      ["NoTargets", "Other"],
    ],
  ])("finds %s", (_, text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  test.each([
    ["system codes", 'f({ code: "ENOENT" });'],
    ["numbers and other keys", 'f({ code: 3, name: "BadName" });'],
    ["comparisons", 'if (a.code === "BadName") f();'],
  ])("leaves out %s", (_, text) => {
    expect(codes(text)).toEqual([]);
  });
});

test("an update keeps words, adds new codes with their message and drops those that are gone", () => {
  const before = [
    { code: "Kept", meaning: "Our words.", from: "old" },
    { code: "Ruled", meaning: "Old words.", from: "plan" },
    { code: "Gone", meaning: "x", from: "a" },
  ];
  const found = [
    { code: "Kept", path: "src/plan/a.ts", message: "m", authoritative: false },
    {
      code: "New",
      path: "src/sync/actor/b.ts",
      message: "the name … is | bad",
      authoritative: false,
    },
    { code: "Ruled", path: "src/plan/b.ts", message: "From the table.", authoritative: true },
  ];
  const after = updatedRows(before, found);
  expect(after).toEqual([
    { code: "Kept", meaning: "Our words.", from: "plan" },
    { code: "New", meaning: "the name … is \\| bad", from: "sync/actor" },
    { code: "Ruled", meaning: "From the table.", from: "plan" },
  ]);
  expect(parsePage(formatPage(after))).toEqual(after);
});

test("an update leaves one row for a code that has two", () => {
  const found = [{ code: "Kept", path: "src/plan/a.ts", message: "m", authoritative: false }];
  const rowWith = (meaning: string) => ({ code: "Kept", meaning, from: "plan" });
  expect(updatedRows([rowWith("Old."), rowWith("New.")], found)).toEqual([rowWith("New.")]);
});
