import { expect, test } from "vitest";
import { groupedBy } from "./grouped-by.ts";

test("items stay in their order, and keys in that of their first items", () => {
  const groups = groupedBy([3, 1, 4, 5, 2], (number) => (number % 2 === 0 ? "even" : "odd"));
  expect([...groups]).toEqual([
    ["odd", [3, 1, 5]],
    ["even", [4, 2]],
  ]);
});
