/**
 * Mutants name clauses of the source (test/simulation/mutants/named-clauses.ts): each name is there
 * once, each clause that has a name has a mutant, and each mutant is still a program. A change that
 * takes a clause away fails here, before the slow simulation.
 */
import { readdirSync, readFileSync } from "node:fs";
import { transformSync } from "esbuild";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import {
  byName,
  clauseOf,
  clausesIn,
  namedClauses,
  type Replacement,
  replaceClauses,
} from "../simulation/mutants/named-clauses.ts";

interface Use extends Replacement {
  readonly path: string;
}

function initializerOf(node: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  return node.properties
    .filter(ts.isPropertyAssignment)
    .find((one) => ts.isIdentifier(one.name) && one.name.text === name)?.initializer;
}

/** Where a clause is named; a `to` that is put together counts as `null`. */
function usesIn(path: string, text: string): readonly Use[] {
  const found: Use[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const [clause, to] = [initializerOf(node, "clause"), initializerOf(node, "to")];
      const instead = to && { to: ts.isStringLiteralLike(to) ? to.text : "null" };
      if (clause !== undefined && ts.isStringLiteralLike(clause))
        found.push({ path, clause: clause.text, ...instead });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

const uses = readdirSync("test/simulation", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .flatMap((path) => usesIn(path, readFileSync(`test/simulation/${path}`, "utf8")));

const KEYWORDS = ["true", "false", "throw", "typeof"];

/** Names that a text uses, neither as a member nor as a key, and that its file does not know. */
function unknownNames(to: string, file: string): readonly string[] {
  const known = new Set([...KEYWORDS, ...file.split(/[^\w$]+/)]);
  const names = [
    ...to.replaceAll(/"[^"]*"/g, '""').matchAll(/(?<![\w$"'.#]|\?\.)[a-zA-Z$][\w$]*(?![\w$"']|:)/g),
  ].map(([name]) => name);
  // What is there twice is a parameter, as far as this looks.
  const isOnce = (name: string): boolean => names.filter((one) => one === name).length === 1;
  return names.filter((name) => isOnce(name) && !known.has(name) && !(name in globalThis));
}

test("each clause that a mutant names is in the source once, and each one there has a mutant", () => {
  expect(uses.length).toBeGreaterThan(400);
  const names = new Set(uses.map(({ clause }) => clause));
  expect([...namedClauses().keys()].sort()).toEqual([...names].sort());
});

test("what a mutant makes of a file is a program that knows its names", () => {
  const wrong = uses.flatMap(({ path, ...use }) => {
    const clause = clauseOf(use);
    const text = readFileSync(clause.file, "utf8");
    const names = unknownNames(use.to?.replaceAll("$&", "") ?? "", text);
    if (names.length > 0) return [`${path} ${clause.name}: ${names.join()} is not in its file`];
    try {
      transformSync(replaceClauses(text, [{ clause, to: use.to }]), { loader: "ts" });
      return [];
    } catch (error) {
      return [`${path} ${clause.name}: ${String(error)}`];
    }
  });
  expect(wrong).toEqual([]);
});

describe("the finder", () => {
  const textOfClause = (text: string): string => {
    const [clause] = clausesIn("a.ts", text);
    return text.slice(clause?.start, clause?.end);
  };
  const dropped = (text: string, to?: string): string => {
    const [clause] = clausesIn("a.ts", text);
    return clause === undefined ? "" : replaceClauses(text, [{ clause, to }]);
  };

  test.each([
    ["if (a) {\n  // clause: a-b\n  f(x);\n}", "f(x);"],
    ["/* clause: a-b */ return a && b;", "return a && b;"],
    ["return /* clause: a-b */ a.b(c);", "a.b(c)"],
    ["return /* clause: a-b */ a && b;", "a"],
    ["return x && /* clause: a-b */ (a || b);", "(a || b)"],
    ["return a ? /* clause: a-b */ { b } : c;", "{ b }"],
    ["f(/* clause: a-b */ (a) => b, c);", "(a) => b"],
    ["const a = { /* clause: a-b */ b: c, d };", "b: c"],
    ["const a = { b: /* clause: a-b */ c, d };", "c"],
    ["/** Says. */\n// clause: a-b\nconst a = b;", "const a = b;"],
  ])("%s", (text, found) => {
    expect(textOfClause(text)).toBe(found);
  });

  test.each([
    ["if (a)\n  /* clause: a-b */ return b;", "if (a)\n  /* clause: a-b */ ;"],
    ["f(a && /* clause: a-b */ b);", "f(a && /* clause: a-b */ true);"],
    ["f(/* clause: a-b */ a || b);", "f(/* clause: a-b */ false || b);"],
    ["f(a ?? /* clause: a-b */ b);", "f(a ?? /* clause: a-b */ null);"],
    ["f([/* clause: a-b */ ...a, b]);", "f([/* clause: a-b */  b]);"],
    ["f({ a, /* clause: a-b */ b: c });", "f({ a, /* clause: a-b */  });"],
  ])("drops %s", (text, without) => {
    expect(dropped(text)).toBe(without);
  });

  test("replaces the whole, with the whole in it", () => {
    expect(dropped("/* clause: a-b */ f(a);", "g(); $&")).toBe("/* clause: a-b */ g(); f(a);");
  });

  test("an unknown name, a name used twice, one that names nothing and one of another form", () => {
    expect(() => clauseOf({ clause: "a-b" }, new Map())).toThrow("no clause is named a-b");
    const [one] = clausesIn("a.ts", "/* clause: a-b */ f();");
    const two = { ...one, file: "b.ts" } as NonNullable<typeof one>;
    expect(() => byName([two, two])).toThrow("b.ts and b.ts both name a clause a-b");
    expect(() => clausesIn("a.ts", "f(/* clause: a-b */ );")).toThrow("nothing");
    expect(() => clausesIn("a.ts", "/* clause: Ab */ f();")).toThrow("Ab is no name");
  });

  test("what cannot be dropped says so, and so do clauses inside each other", () => {
    expect(() => dropped("f(/* clause: a-b */ a, b);")).toThrow("say what it becomes");
    const text = "/* clause: a-b */ f(a && /* clause: c-d */ b);";
    const both = clausesIn("a.ts", text).map((clause) => ({ clause }));
    expect(() => replaceClauses(text, both)).toThrow("a-b overlaps");
  });
});
