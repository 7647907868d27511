/** The finder of retired words sees them where they count, and nowhere else. */
import { describe, expect, test } from "vitest";
import { EXCEPTIONS, RETIRED_PARTS, RETIRED_PHRASES } from "../../tools/measure/retired-words.ts";
import { retiredNames, retiredPhrases, segmentsOf } from "../../tools/measure/words.ts";

const names = (text: string, path = "src/plan/x.ts") =>
  retiredNames([{ path, text }]).map((one) => `${one.at} ${one.text}`);
const phrases = (text: string) =>
  retiredPhrases([{ path: "src/plan/x.ts", text }]).map((one) => `${one.at} ${one.text}`);

test.each([
  ["isBarredHere", ["is", "barred", "here"]],
  ["WISHES_MAX", ["wishes", "max"]],
  ["#toDNSName", ["", "to", "dns", "name"]],
  ["write-bar.test.ts", ["write", "bar", "test", "ts"]],
])("the parts of %s", (name, parts) => {
  expect(segmentsOf(name)).toEqual(parts);
});

describe("names", () => {
  test.each([
    ["a variable", "const theWish = 1;", "theWish"],
    ["a function", "function isBarred() {}", "isBarred"],
    ["a parameter", "const f = (said: string) => 1;", "said"],
    ["a type and its member", "interface A { readonly standing2: 1; place: 2 }", "place"],
    ["a private member", "class A { #book = 1; }", "#book"],
    ["a key of an object", "f({ desk: 1 });", "desk"],
    ["a constant", 'const WISHES = ["a"];', "WISHES"],
  ])("%s is found", (_, text, name) => {
    expect(names(text)).toContain(`src/plan/x.ts:1 ${name}`);
  });

  test.each([
    ["the use of a name", "const a = b.place(x.said);"],
    ["an import", 'import { wish as wanted } from "a";'],
    ["a longer word", "const replaced = barrier(ground0, worldwide, misplaced);"],
    ["a word in a comment or text", '// said, told, wish\nconst a = "a wish";'],
  ])("%s is no fault", (_, text) => {
    expect(names(text)).toEqual([]);
  });

  test("a file's name counts as one", () => {
    expect(names("", "src/plan/write-bar.ts")).toEqual(["src/plan/write-bar.ts:1 write-bar.ts"]);
  });

  test("exceptions hold where they say, and nowhere else", () => {
    expect(names("const world = 1;", "test/support/a.ts")).toEqual([]);
    expect(names("const world = 1;")).toHaveLength(1);
    expect(names("f({ standing: 1, wantedBeside: 2 });")).toEqual([]);
  });
});

describe("phrases", () => {
  test.each([
    ["a comment", "f();\n// it speaks for the record\n", "src/plan/x.ts:2 speaks for"],
    [
      "a comment that breaks the line",
      "/** What is\n * left there. */",
      "src/plan/x.ts:1 What is left",
    ],
    ["a text", 'f("a record stands there");', "src/plan/x.ts:1 stands there"],
    [
      "a template",
      ["f(`record $", "{a} stands at $", "{b}`);"].join(""),
      "src/plan/x.ts:1 stands at",
    ],
  ])("%s is read", (_, text, found) => {
    expect(phrases(text)).toEqual([found]);
  });

  test("code and longer words are none", () => {
    expect(phrases("const stands = at;\n// withstands attacks; somebody's own\n")).toEqual([]);
  });
});

test("the lists are lower case, and each exception has a reason", () => {
  for (const text of [...RETIRED_PARTS, ...RETIRED_PHRASES]) expect(text).toBe(text.toLowerCase());
  expect(EXCEPTIONS.filter(({ why }) => why === "")).toEqual([]);
});
