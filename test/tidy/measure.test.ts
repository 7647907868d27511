/**
 * Each figure and each counted fault of tools/measure finds a seeded violation, and does not count
 * what is allowed.
 */
import { describe, expect, test } from "vitest";
import { wideCommentLines } from "../../tools/measure/comments.ts";
import { coverageFigures } from "../../tools/measure/coverage.ts";
import { figuresOf, isBroken, quantile } from "../../tools/measure/figures.ts";
import { measureFile } from "../../tools/measure/file-figures.ts";
import { grown, lowered, ratchetRows } from "../../tools/measure/ratchet.ts";
import { roomsOf } from "../../tools/measure/rooms.ts";
import { sharedLinesOfSources } from "../../tools/measure/shared-lines.ts";
import { slowestFiles } from "../../tools/measure/slow-files.ts";
import { measureTestFile } from "../../tools/measure/test-figures.ts";
import { treeFigures } from "../../tools/measure/tree-figures.ts";

const NO_FAULT = {
  any: 0,
  as: 0,
  asAtEdges: 0,
  nonNull: 0,
  lintDisable: 0,
  biomeIgnore: 0,
  todo: 0,
};
const faults = (text: string, path = "src/plan/x.ts") => measureFile({ path, text }).faults;
const lines = (count: number): string => "  work();\n".repeat(count);

test.each([
  ["any", "const x: any = 1;", { any: 1 }],
  ["any in a generic", "let f: (a: any[]) => Map<string, any>;", { any: 2 }],
  ["as", "const x = y as string;", { as: 1 }],
  ["a double cast", "const x = y as unknown as string;", { as: 2 }],
  ["an angle-bracket cast", "const x = <string>y;", { as: 1 }],
  ["non-null", "const x = y!.z;", { nonNull: 1 }],
  ["oxlint-disable", "// oxlint-disable-next-line max-params\nf();", { lintDisable: 1 }],
  ["biome-ignore", "/* biome-ignore lint/x: y */ f();", { biomeIgnore: 1 }],
  ["a promise to do it later", "f(); // TODO later", { todo: 1 }],
])("%s is counted", (_, text, expected) => {
  expect(faults(text)).toEqual({ ...NO_FAULT, ...expected });
});

test.each([
  ["as const", "const x = [1] as const;"],
  ["renaming imports and exports", 'import { a as b } from "./a.ts";\nexport { b as c };'],
  ["the words in strings", 'const x = "any as ! TODO oxlint-disable";'],
  ["satisfies", "const x = {} satisfies object;"],
  ["a definite comparison", "if (a !== b) f(!a);"],
])("%s is no fault", (_, text) => {
  expect(faults(text)).toEqual(NO_FAULT);
});

test.each([
  "packages/dns/src/wire/message/reader.ts",
  "src/cluster/watch.ts",
  "src/providers/a/convert.ts",
])("a cast in %s is counted apart", (path) => {
  expect(faults("const x = y as string;", path)).toEqual({ ...NO_FAULT, asAtEdges: 1 });
});

test("own lines of a function leave out the functions inside it", () => {
  const text = `function outer() {\n${lines(2)}  const inner = () => {\n${lines(3)}  };\n}\n`;
  expect(measureFile({ path: "src/a.ts", text }).functionLines).toEqual([5, 4]);
});

test("comment lines are counted in code, doc comments and beside statements, not in strings", () => {
  const text = '/** One\n * two\n */\nf(); // three\n\nconst x = "// none";\n/* four */ g();\n';
  const { commentLines, nonBlankLines } = measureFile({ path: "src/a.ts", text });
  expect({ commentLines, nonBlankLines }).toEqual({ commentLines: 5, nonBlankLines: 6 });
});

test("an export counts as documented only with a doc comment right above it", () => {
  const text = [
    "/** The file. */",
    "",
    "export const a = 1;",
    "/** Yes. */",
    "export interface B {}",
    "// no",
    "export function c() {}",
    "interface Private {}",
    "",
  ].join("\n");
  const { exports, interfaces } = measureFile({ path: "src/a.ts", text });
  expect(exports).toEqual({ total: 3, documented: 1 });
  expect(interfaces).toEqual({ total: 1, documented: 1 });
});

/** Seeded trees, each of which breaks exactly the named figures. */
const GOOD = "/** A. RFC 1035 §3.1. */\n/** B. */\nexport const a = 1;\n";
const CALM = (path: string) => ({ path, text: "// c\nconst f = () => 1;\n" });
test.each([
  ["1c 2c", "src/a.ts", `${GOOD}// c\nfunction f() {\n${lines(61)}}\n${"// x\n".repeat(400)}`],
  ["4a", "src/a.ts", "// x\n\nexport const a = 1;\n"],
  ["4a 4b", "src/a.ts", "// x\n\nexport interface A {}\n"],
  ["5", "src/a.ts", `${GOOD}${"f();\n".repeat(30)}`],
  ["6", "packages/dns/src/wire/a.ts", "// x\n"],
  ["6", "packages/dns/src/rdata/a.ts", "// x\n"],
])("figure %s is broken by a seeded file", (ids, path, text) => {
  const calm = Array.from({ length: 20 }, (_, index) => CALM(`src/calm/${index}.ts`));
  const files = [{ path, text }, ...(ids.startsWith("1c") ? calm : [])].map(measureFile);
  const broken = figuresOf(files, []).filter(isBroken);
  expect(broken.map(({ id }) => id)).toEqual(ids.split(" "));
});

test("long test files and cases over a screen are found", () => {
  const long = `test("long", () => {\n${lines(60)}});\n${"\n".repeat(500)}`;
  const figures = figuresOf([], [measureTestFile({ path: "src/a.test.ts", text: long })]);
  expect(figures.filter(isBroken).map(({ id }) => id)).toEqual(["12a", "12b"]);
  const table = `test.each([\n${"  [1],\n".repeat(20)}])("x", () => {});\n`;
  expect(measureTestFile({ path: "a.test.ts", text: table }).caseLines).toEqual([22]);
});

test("the ratchet refuses growth and only ever lowers", () => {
  const rows = ratchetRows({ ...NO_FAULT, any: 1, as: 2 }, { as: 5 });
  expect(grown(rows).map(({ fault }) => fault)).toEqual(["any"]);
  expect(lowered(rows)).toEqual({ ...NO_FAULT, as: 2 });
});

test("figure 5b, a comment line over 100 columns is found; code and texts are not", () => {
  const wide = "x".repeat(100);
  const text = `// ${wide}\nconst a = "${wide}";\n/**\n * ${wide}\n */\nf(); // ${wide}\n// x\n`;
  const file = { path: "test/a.ts", text };
  expect(wideCommentLines([file])).toEqual(["test/a.ts:1", "test/a.ts:4", "test/a.ts:6"]);
  const figure = treeFigures({ production: [], all: [file] }).filter(isBroken);
  expect(figure.map(({ id, worst }) => [id, worst])).toEqual([["5b", "test/a.ts:1"]]);
});

test("figure 3, rooms and arrows", () => {
  const file = (path: string, ...imports: readonly string[]) => ({
    path: `src/sync/${path}`,
    text: imports.map((to) => `import { a } from "${to}";\n`).join(""),
  });
  const files = [
    file("engine.ts", "./zone/a.ts", "../plan/plan.ts"),
    file("zone/a.ts", "./b.ts", "../fence/f.ts", "../fence/g.ts"),
    file("zone/b.ts", "../fence/f.ts"),
    file("fence/f.ts"),
    { path: "src/plan/plan.ts", text: 'import { a } from "../sync/zone/a.ts";' },
  ];
  expect(roomsOf(files, "src/sync")).toEqual({
    rooms: [".", "fence", "zone"],
    arrows: [". -> zone", "zone -> fence"],
  });
});

test("figure 8, the places that know a source", () => {
  const list = {
    path: "src/sources/index.ts",
    text: [
      'import { podDns } from "./core/pod-dns.ts";',
      'import { NODE_TYPES, nodeDns } from "./node/node-dns.ts";',
      "export const SOURCES = [",
      '  { name: "pod-dns", open: podDns },',
      '  { name: "node-dns", types: NODE_TYPES, open: nodeDns },',
      "];",
    ].join("\n"),
  };
  const files = [
    list,
    { path: "src/sources/node/node-dns.ts", text: 'const name = "node-dns";' },
    { path: "src/app/a.ts", text: 'import { x } from "../sources/node/node-dns.ts";\n"node-dns";' },
  ];
  expect(sharedLinesOfSources(files)).toEqual([
    { source: "pod-dns", mentions: ["src/sources/index.ts"] },
    {
      source: "node-dns",
      mentions: ["src/sources/index.ts", "src/app/a.ts", "src/app/a.ts: node-dns"],
    },
  ]);
  const broken = treeFigures({
    production: [...files, ...files.slice(2), ...files.slice(2)],
    all: [],
  });
  expect(broken.filter(isBroken).map(({ id }) => id)).toEqual(["8"]);
});

test("the slowest test files come first, each once", () => {
  const result = (name: string, milliseconds: number) => ({
    name: `/r/${name}`,
    startTime: 1000,
    endTime: 1000 + milliseconds,
  });
  const reports = [
    { testResults: [result("a.test.ts", 100), result("b.test.ts", 2_340)] },
    { testResults: [result("a.test.ts", 5_000), result("c.test.ts", 1)] },
  ];
  expect(slowestFiles(reports, "/r", 2)).toEqual([
    { path: "a.test.ts", seconds: 5 },
    { path: "b.test.ts", seconds: 2.3 },
  ]);
});

test("quantiles are values of the list", () => {
  expect(quantile([], 0.5)).toBeNull();
  expect(quantile([3, 1, 2], 0.5)).toBe(2);
  expect(quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9)).toBe(9);
  expect(quantile([5], 1)).toBe(5);
});

describe("figure 10, branch coverage", () => {
  const summary = (pure: number, rest: number) => ({
    total: { branches: { total: 0, covered: 0 } },
    "/r/src/plan/a.ts": { branches: { total: 100, covered: pure } },
    "/r/src/app/b.ts": { branches: { total: 100, covered: rest } },
  });
  const broken = (pure: number, rest: number) =>
    coverageFigures(summary(pure, rest), "/r")
      .filter(isBroken)
      .map(({ id }) => id);

  test.each([
    [100, 90, []],
    [95, 75, []],
    [94, 90, ["10a"]],
    [100, 69, ["10b"]],
    [60, 60, ["10a", "10b"]],
  ])("%i %% of the pure and %i %% of the other branches", (pure, rest, expected) => {
    expect(broken(pure, rest)).toEqual(expected);
  });

  test("each folder has a line that says where to look", () => {
    const lines = coverageFigures(summary(98, 100), "/r").map(
      ({ measure, value, worst }) => `${measure.trim()} ${value} ${worst}`,
    );
    expect(lines).toContain("plan 98 src/plan/a.ts: 2 not taken");
    expect(lines).toContain("app 100 ");
  });
});
