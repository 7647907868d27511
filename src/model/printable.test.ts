import { expect, test } from "vitest";
import { printable } from "./printable.ts";

test.each([
  ["ESC", "\u001b[2J", "\\u001b[2J"],
  ["line breaks, tab, backspace, NUL", "a\r\n\tb\b\0", "a\\u000d\\u000a\\u0009b\\u0008\\u0000"],
  ["DEL and C1", "\u007f\u0085\u009b", "\\u007f\\u0085\\u009b"],
  ["marks of direction", "\u200e\u200f\u061c\u202a\u202e\u2066\u2069", /^(\\u[0-9a-f]{4}){7}$/],
  ["separators and no width", "\u2028\u2029\u200b\u2060\ufeff", /^(\\u[0-9a-f]{4}){5}$/],
])("%s cannot reach a terminal", (_, text, shown) => {
  expect(printable(text)).toEqual(typeof shown === "string" ? shown : expect.stringMatching(shown));
  expect(printable(printable(text)), "twice is once").toBe(printable(text));
});

test.each(["", "owner-1", "Zürich", "例え", "शर्\u200dमा", "😀", '\\"\\027'])(
  "%j is left as it is",
  (text) => {
    expect(printable(text)).toBe(text);
  },
);
