import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ApiError } from "../errors/api-error.ts";
import { bodyOf } from "./body.ts";

const yaml = (text: string): unknown =>
  bodyOf({
    method: "POST",
    path: "/",
    headers: { "content-type": "application/yaml" },
    body: new TextEncoder().encode(text),
    signal: new AbortController().signal,
  });

describe("YAML bodies", () => {
  const warnings: string[] = [];
  const hear = (warning: Error): void => {
    warnings.push(warning.message);
  };
  beforeEach(() => {
    warnings.length = 0;
    process.on("warning", hear);
  });
  afterEach(() => {
    process.off("warning", hear);
  });

  // Found by the fuzzer: the parser sent warnings to the terminal with lines of the body.
  test.each([
    ["an odd anchor", "data: &x: secret\n", { data: "secret" }],
    ["an unknown tag", "data: !secret x\n", { data: "x" }],
  ])("%s is read without a word on the terminal", async (_title, text, value) => {
    expect(yaml(text)).toEqual(value);
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });

  test("a key that is no text is refused without a word on the terminal", async () => {
    expect(() => yaml("? {secret: 1}\n: x\n")).toThrow("not valid YAML");
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });

  // Found by the fuzzer: the parser recurses, and a regular expression that is compiled on the last
  // of the stack ends Node.
  test.each([
    ["[".repeat(600)],
    ['["]",'.repeat(600)],
    ["{a: ".repeat(600)],
    ["- ".repeat(600)],
    ["? ".repeat(600)],
    [`${"? ".repeat(240)}x`],
    ["{a: {[b]: 1}}"],
    ['": '.repeat(5_000)],
    [Array.from({ length: 600 }, (_, at) => `${" ".repeat(at)}a:\n`).join("")],
  ])("nesting, and keys that are no plain values, are refused in no time: %j", (text) => {
    expect(() => yaml(text)).toThrow("the body of the request is not valid YAML");
  });

  test("brackets and columns in texts, and lists one after the other, do not nest", () => {
    const list = Array.from({ length: 600 }, () => "- [a, {b: c}]\n").join("");
    const text = `${"[".repeat(600)}${" ".repeat(600)}x`;
    expect(() => yaml(list)).not.toThrow();
    expect(yaml(`a: "${text}"\nb: |\n  ${text}\nc: 1\n`)).toMatchObject({ c: 1 });
  });

  test("what is no YAML is refused", () => {
    expect(() => yaml("a: [\n")).toThrow(ApiError);
  });

  test.each(["a: .inf\n", "a: [-.inf]\n", "a: .nan\n", '{"a": 1e400}\n'])(
    "%j is refused: JSON has no such number, and it would be null when it is kept",
    (text) => {
      expect(() => yaml(text)).toThrow("too large to be kept");
    },
  );
});

// Found by the fuzzer: recursion over such values ended in an answer of 500.
describe("depth", () => {
  const json = (text: string): unknown =>
    bodyOf({
      method: "POST",
      path: "/",
      headers: {},
      body: new TextEncoder().encode(text),
      signal: new AbortController().signal,
    });

  test.each([299, 300])("%i levels are read", (levels) => {
    expect(json("[".repeat(levels) + "]".repeat(levels))).toBeInstanceOf(Array);
  });

  test.each([301, 8000, 1_000_000])("%i levels are refused", (levels) => {
    expect(() => json("[".repeat(levels) + "]".repeat(levels))).toThrow("300 levels");
    expect(() => json(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`)).toThrow(ApiError);
  });
});
