/**
 * Mutants: each is one change of one place, and a file with all of them asleep does what the file
 * does.
 */
import { transformSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { mutate } from "../../tools/mutate/mutants.ts";

const PATH = "src/x.ts";

function changesOf(text: string): readonly string[] {
  return mutate({ path: PATH, text }, 0).mutants.map(({ what }) => what);
}

describe("what is changed", () => {
  test.each<[string, readonly string[]]>([
    ["if (a) f(b);", ["a -> true", "a -> false", "f(b) -> undefined"]],
    ["while (a) b();", ["a -> false", "b() -> undefined"]],
    ["for (const x of xs) {}", ["xs -> []"]],
    ["let x = a && b;", ["a && b -> a", "a && b -> b"]],
    ["let x = a ?? b;", ["a ?? b -> a", "a ?? b -> b"]],
    ["let x = a < b;", ["a < b -> a <= b", "a < b -> a >= b"]],
    ["let x = a === b;", ["a === b -> a !== b"]],
    ["let x = !a;", ["!a -> a"]],
    ["let x = true;", ["true -> false"]],
    ['let x = "word";', ['"word" -> ""']],
    ['let x = "";', ['"" -> "mutated"']],
    [`let x = \`\${a} word\`;`, [`\`\${a} word\` -> ""`]],
    ["let x = [a, ...b];", ["[a, ...b] -> []", "[a, ...b] -> [...b]", "[a, ...b] -> [a]"]],
    ["let x = a.filter(f);", ["a.filter(f) -> a"]],
    ["let x = a.some(f);", ["a.some(f) -> a.every(f)"]],
    ["let x = a?.b?.(c);", ["a?.b?.(c) -> a?.b(c)", "a?.b?.(c) -> a.b?.(c)"]],
    ["a.b = c;", ["a.b = c -> undefined"]],
    ["const f = (): X | null => a;", ["a -> null"]],
    ["function f(): boolean { return a; }", ["a -> true", "a -> false"]],
    ["a.find((b) => c);", ["a.find((b) => c) -> undefined", "c -> true", "c -> false"]],
  ])("%s", (text, changes) => {
    expect(changesOf(text)).toEqual(changes);
  });

  test.each([
    'import { a } from "b";',
    'export { a } from "b";',
    'interface A { readonly b: "c" | true }',
    'type A = "b";',
    "invariant(a && b, `word`);",
    'const { "a": b } = c;',
    "let x = 1;",
  ])("nothing in %s", (text) => {
    expect(changesOf(text)).toEqual([]);
  });
});

const SAMPLE = `// A sample with what is easily broken: chains, names in quotes, comments at the end of lines.
interface Thing { readonly name: "a" | "b" }
const WORDS: ReadonlySet<string> = new Set(["a", "b"]); // words
class Counter {
  #count = 0;
  isOpen = true;
  add(by: number): number { this.#count += by; return this.#count; }
}
function of(thing: { readonly list?: readonly (number | null)[] } | null): string | null {
  const { list: found = [] } = thing ?? {};
  const counter = new Counter();
  for (const one of found) {
    if (one === null || one < 0) continue; // not these
    counter.add(one);
  }
  const text = thing?.list?.filter((one) => one !== null).map((one) => \`\${one}!\`).join("-") ?? "a";
  return counter.isOpen && !WORDS.has(text) ? \`\${text} of \${counter.add(0)}\` : null;
}
answer = [null, {}, { list: [] }, { list: [1, -2, null, 3] }].map(of);
`;

/** What the sample answers with each of these mutants awake; "threw" when it ends otherwise. */
function answersOf(text: string, awake: readonly number[]): readonly unknown[] {
  const { code } = transformSync(text, { loader: "ts" });
  const run = new Function("$mutant", `let answer; ${code}; return answer;`);
  return awake.map((one) => {
    try {
      return run((id: number) => id === one);
    } catch {
      return "threw";
    }
  });
}

test("asleep they change nothing; awake they can be seen", () => {
  const { text, mutants } = mutate({ path: PATH, text: SAMPLE }, 100);
  const original = [null, null, " of 0", "1!--2!-3! of 4"];
  expect(answersOf(SAMPLE, [-1])).toEqual([original]);
  const ids = mutants.map(({ id }) => id);
  expect(ids).toEqual(mutants.map((_, index) => 100 + index));
  const [asleep, ...answers] = answersOf(text, [-1, ...ids]);
  expect(asleep).toEqual(original);
  const same = answers.map((answer) => JSON.stringify(answer) === JSON.stringify(original));
  const alive = mutants.filter((_, index) => same[index]);
  // Nothing that the sample is asked tells these from it; all others differ.
  expect(alive.map(({ line, what }) => `${line} ${what}`)).toEqual([
    '3 ["a", "b"] -> ["a"]',
    '10 [] -> ["mutated"]',
    "13 one === null || one < 0 -> one < 0",
    "13 one < 0 -> one <= 0",
    "17 counter.isOpen && !WORDS.has(text) -> !WORDS.has(text)",
    "19 [1, -2, null, 3] -> [1, -2, 3]",
  ]);
});
