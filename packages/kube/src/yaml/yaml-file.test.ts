/**
 * Faults of YAML files with their places, and texts that would cost the parser its stack or its
 * time.
 */
import { expect, test } from "vitest";
import { parseYamlFile } from "./yaml-file.ts";

test.each([
  ["an open bracket", "a: 1\nb: [", "2:5 BAD_INDENT"],
  ["a key twice", "a: 1\nb: 2\na: 3\n", "3:1 DUPLICATE_KEY"],
  ["a key twice further in", "a:\n  b: 1\n  b: 2\n", "3:3 DUPLICATE_KEY"],
  ["two documents", "a: 1\n---\nb: 1\n", "2:1 MULTIPLE_DOCS"],
  ["a list as key", "a: {[b]: 1}\n", "1:5 COMPLEX_KEY"],
  ["an alias as key", "a: &x b\n*x : 1\n", "2:1 COMPLEX_KEY"],
  ["nested keys", `${"? ".repeat(240)}x`, "1:3 COMPLEX_KEY"],
  ["keys without end", '": '.repeat(5_000), "1:1 TOO_DEEP"],
  ["brackets that close too often", `${"]".repeat(1_000)}${"[".repeat(1_400)}`, "1:1 TOO_DEEP"],
  ["anchors without end", `a: ${"&: ".repeat(20_000)}`, "1:1 TOO_DEEP"],
  ["brackets that only close", "}]".repeat(20_000), "1:1 TOO_DEEP"],
  ["brackets without end", "[".repeat(100_000), "1:1 TOO_DEEP"],
  [
    "columns without end",
    Array.from({ length: 600 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
    "1:1 TOO_DEEP",
  ],
])("%s", (_what, text, expected) => {
  const [fault] = parseYamlFile(text).faults;
  expect(`${fault?.line}:${fault?.column} ${fault?.code}`).toBe(expected);
});

test("a long line of JSON is read", () => {
  const entries = Array.from({ length: 2_000 }, (_, i) => [`k${i}`, { a: [i, { b: "x: y" }] }]);
  const value = Object.fromEntries(entries);
  const { faults, document } = parseYamlFile(JSON.stringify(value));
  expect([faults, document.toJS()]).toEqual([[], value]);
});

test("a map of many keys is read, and each key that comes again is named", () => {
  const keys = Array.from({ length: 5_000 }, (_, i) => `k${i}: ${i}`);
  const { faults, document } = parseYamlFile(keys.join("\n"));
  expect([faults, Object.keys(document.toJS() as object).length]).toEqual([[], 5_000]);
  expect(parseYamlFile([...keys, "k0: 1", "k7: 1"].join("\n")).faults).toHaveLength(2);
});
