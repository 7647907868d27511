import { expect, test } from "vitest";
import { isSameJson } from "./same-json.ts";

test.each([
  [{ a: [1, "x"] }, { a: [1, "x"] }, true],
  [{ a: 1 }, { a: 1, b: undefined }, true],
  [undefined, undefined, true],
  [[1, 2], [2, 1], false],
  [null, undefined, false],
  [{ a: 1, b: { c: 2 } }, { b: { c: 2 }, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: null }, false],
  [{ a: undefined, b: 1 }, { b: 1 }, true],
  [[1], { 0: 1 }, false],
  [{}, [], false],
  ["x", ["x"], false],
])("%j and %j: %s", (one, other, expected) => {
  expect(isSameJson(one, other)).toBe(expected);
});
