/**
 * Each mutant's source text stands in its file exactly once (test/simulation/mutants/mutant.ts):
 * a change that moves the text fails here, before the slow simulation.
 */
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

interface Found {
  readonly file: string;
  readonly from: string;
}

type Texts = ReadonlyMap<string, string>;

const property = (node: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined =>
  node.properties
    .filter(ts.isPropertyAssignment)
    .find((one) => ts.isIdentifier(one.name) && one.name.text === name)?.initializer;

/** The text of a literal, of literals joined by `+`, or of a constant of the same file. */
function textOf(node: ts.Expression | undefined, constants: Texts): string | null {
  if (node === undefined) return null;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) return constants.get(node.text) ?? null;
  if (!ts.isBinaryExpression(node)) return null;
  const [left, right] = [textOf(node.left, constants), textOf(node.right, constants)];
  return left === null || right === null ? null : left + right;
}

function replacementsIn(path: string, text: string): readonly Found[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const constants = new Map<string, string>();
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
      const value = textOf(node.initializer, constants);
      if (value !== null) constants.set(node.name.text, value);
    }
    if (ts.isObjectLiteralExpression(node)) {
      const [file, from] = ["file", "from"].map((name) => textOf(property(node, name), constants));
      if (typeof file === "string" && typeof from === "string") found.push({ file, from });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const all = readdirSync("test/simulation", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => `test/simulation/${path}`)
  .flatMap((path) => replacementsIn(path, readFileSync(path, "utf8")))
  .filter(({ file }) => /^(src|test)\//.test(file));

test("each mutant's text stands in its file once", () => {
  expect(all.length).toBeGreaterThan(100);
  const wrong = all.filter(({ file, from }) => readFileSync(file, "utf8").split(from).length !== 2);
  expect(wrong).toEqual([]);
});

test("the finder reads literals and constants", () => {
  const text = `const A = "x.ts"; const B = { file: A, from: \`b\` + "c", to: "" }; const C = { file: A };`;
  expect(replacementsIn("t.ts", text)).toEqual([{ file: "x.ts", from: "bc" }]);
});
