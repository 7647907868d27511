import { expect, test } from "vitest";
import { distinctBy, groupedBy } from "./grouped-by.ts";

test("items stay in their order, and keys in that of their first items", () => {
  const groups = groupedBy([3, 1, 4, 5, 2], (number) => (number % 2 === 0 ? "even" : "odd"));
  expect([...groups]).toEqual([
    ["odd", [3, 1, 5]],
    ["even", [4, 2]],
  ]);
});

test("the last item of a key is where its first one was", () => {
  const items = ["a1", "b1", "a2", "c1", "b2"];
  expect(distinctBy(items, ([letter]) => letter)).toEqual(["a2", "b2", "c1"]);
});
