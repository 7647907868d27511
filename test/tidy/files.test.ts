/**
 * Habits of docs/style.md that no other tool checks: file headers, file names, words that say
 * nothing, the changelog.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { filesBelow, type SourceFile } from "../../tools/measure/source-files.ts";

const FOLDERS = ["src", "packages", "page", "test", "tools", "bench", "script"];
const files = FOLDERS.flatMap((folder) => filesBelow(".", folder));

/** docs/style.md rule 15: each file opens with one to three sentences. */
function lacksHeader({ text }: SourceFile): boolean {
  const start = text.replace(/^#!.*\n/, "").trimStart();
  const comment = /^\/\*\*?([\s\S]*?)\*\/|^((?:\/\/.*\n?)+)/.exec(start);
  return comment === null || (comment[1] ?? comment[2] ?? "").replaceAll(/[\s*/]/g, "").length < 20;
}

/** docs/style.md rule 3: kebab-case, `.test` and `.bench` apart. */
function isNotKebabCase({ path }: SourceFile): boolean {
  return path
    .split("/")
    .some((part) => !/^[a-z0-9]+(-[a-z0-9]+)*((\.laws)?\.test|\.bench)?(\.ts)?$/.test(part));
}

/** docs/style.md rule 3: names that say nothing. */
function saysNothing({ path }: SourceFile): boolean {
  return path
    .split("/")
    .some((part) =>
      /^(utils?|helpers?|common|misc|stuff)((\.laws)?\.test|\.bench)?(\.ts)?$/.test(part),
    );
}

const isTest = ({ path }: SourceFile): boolean => path.endsWith(".test.ts");
const paths = (list: readonly SourceFile[]) => list.map(({ path }) => path);

test("there are files to look at", () => {
  expect(files.length).toBeGreaterThan(30);
});

test("each file says what it is for; a test says it in its titles", () => {
  expect(paths(files.filter((file) => !isTest(file) && lacksHeader(file)))).toEqual([]);
});

test("file names are kebab-case and say something", () => {
  expect(paths(files.filter(isNotKebabCase))).toEqual([]);
  expect(paths(files.filter(saysNothing))).toEqual([]);
});

test("only src/app asks the machine for the time; others have the Clock port", () => {
  const outside = files.filter(
    (file) => /^(packages|src\/(?!app\/))/.test(file.path) && !isTest(file),
  );
  expect(paths(outside.filter(({ text }) => /\bnew Date\(\)/.test(text)))).toEqual([]);
});

test("the changelog has something to say about the coming version", () => {
  const text = readFileSync("CHANGELOG.md", "utf8");
  const unreleased = /^## Unreleased\n+((?:[^#].*\n|\n)+)/m.exec(text)?.[1] ?? "";
  const fragments = existsSync(".changelog") ? readdirSync(".changelog") : [];
  expect([unreleased.trim(), ...fragments].filter((one) => one !== "")).not.toEqual([]);
});

test.each([
  ["no header", "export const a = 1;\n", "src/a.ts", [true, false, false]],
  ["a header of two words", "// a b\n", "src/a.ts", [true, false, false]],
  ["camel case", "// What this file is here for.\n", "src/aB.ts", [false, true, false]],
  [
    "a folder of helpers",
    "// What this file is here for.\n",
    "src/helpers/a.ts",
    [false, false, true],
  ],
  ["utils", "/** What this file is here for. */\n", "src/utils.test.ts", [false, false, true]],
  [
    "a good file",
    "/** What this file is here for. */\n",
    "src/plan/plan-name.test.ts",
    [false, false, false],
  ],
])("the checks see %s", (_, text, path, expected) => {
  const file = { path, text };
  expect([lacksHeader(file), isNotKebabCase(file), saysNothing(file)]).toEqual(expected);
});
