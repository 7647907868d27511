import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Re2 } from "./re2.ts";

describe("RE2 matches", () => {
  test.each<[string, string, boolean]>([
    ["^a+$", "aaa", true],
    ["^a+$", "aab", false],
    ["b", "abc", true],
    ["", "", true],
    ["^$", "a", false],
    ["^(a|bc)*d?$", "abcad", true],
    ["^[a-c-]+$", "a-c", true],
    ["^[^a-c]$", "b", false],
    ["^[]a]$", "]", true],
    ["^a{2,3}$", "aaaa", false],
    ["^a{2,}$", "aaaa", true],
    ["^a{,3}$", "a{,3}", true],
    ["^\\d{3}\\.\\w+$", "123._", true],
    ["^\\d$", "٣", false],
    ["^[[:alpha:]]+$", "abZ", true],
    ["^[[:^digit:]\\s]$", "x", true],
    ["^\\pL+$", "äß", true],
    ["^\\p{Greek}$", "α", true],
    ["^\\P{Lu}$", "A", false],
    ["^\\p{^Lu}$", "a", true],
    ["(?i)^straße$", "STRAßE", true],
    ["^(?i:a)b$", "Ab", true],
    ["^(?i:a)b$", "AB", false],
    ["^a.c$", "a\nc", false],
    ["(?s)^a.c$", "a\nc", true],
    ["(?m)^b$", "a\nb\nc", true],
    ["^b$", "a\nb\nc", false],
    ["\\bfoo\\b", "a foo b", true],
    ["\\Bfoo", "a foo", false],
    ["^\\x41\\x{1F600}\\t$", "A😀\t", true],
    ["^.$", "😀", true],
    ["^\\Qa.b\\E$", "a.b", true],
    ["^\\Qa.b\\E$", "axb", false],
    ["^(?P<x>a)(?<y>b)(?:c)$", "abc", true],
    ["^\\101\\0$", "A\0", true],
    ["\\Aa\\z", "a", true],
    ["^a{2}?b*?$", "aab", true],
  ])("%s on %j: %s", (expression, text, expected) => {
    expect(new Re2(expression).test(text)).toBe(expected);
  });
});

describe("what RE2 does not know is refused, in Go's words", () => {
  test.each([
    ["(?=a)", "invalid or unsupported Perl syntax: `(?=`"],
    ["(?!a)", "invalid or unsupported Perl syntax: `(?!`"],
    ["(?<=a)", "invalid named capture: `(?<=a)`"],
    ["(a)\\1", "invalid escape sequence: `\\1`"],
    ["\\Z", "invalid escape sequence: `\\Z`"],
    ["a**", "invalid nested repetition operator: `**`"],
    ["*a", "missing argument to repetition operator: `*`"],
    ["a{1001}", "invalid repeat count: `{1001}`"],
    ["a{3,2}", "invalid repeat count: `{3,2}`"],
    ["(a", "missing closing ): `(a`"],
    ["a)", "unexpected ): `a)`"],
    ["[a", "missing closing ]: `[a`"],
    ["[z-a]", "invalid character class range: `z-a`"],
    ["\\p{Klingon}", "invalid character class range: `\\p{Klingon}`"],
    ["a\\", "trailing backslash at end of expression"],
    ["((a{1000}){1000}){1000}", "invalid repeat count: `{1000}`"],
  ])("%s", (expression, message) => {
    expect(() => new Re2(expression)).toThrow(message);
  });
});

test("an expression that makes ECMAScript take for ever takes none here", () => {
  expect(new Re2("^(a+)+$").test(`${"a".repeat(5000)}b`)).toBe(false);
});

test("a text that is too long for an expression is said to be so", () => {
  expect(new Re2("(a?){500}b").test("a".repeat(60_000))).toBeNull();
});

test("simple expressions match as ECMAScript matches them", () => {
  const letter = fc.constantFrom("a", "b", "[ab]", "[^a]", ".", "(a|b)", "(?:ab)");
  const item = fc
    .tuple(letter, fc.constantFrom("", "*", "+", "?", "{2}", "{1,2}"))
    .map((pieces) => pieces.join(""));
  const expression = fc.tuple(
    fc.constantFrom("", "^"),
    fc.array(item, { maxLength: 4 }),
    fc.constantFrom("", "$"),
  );
  const text = fc
    .array(fc.constantFrom("a", "b", "c"), { maxLength: 6 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(expression, text, ([start, items, end], value) => {
      const source = start + items.join("") + end;
      expect(new Re2(source).test(value)).toBe(new RegExp(source, "u").test(value));
    }),
  );
});
