import { expect, test } from "vitest";
import { addCount, distinctBy, groupedBy } from "./grouped-by.ts";

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

test("a key is counted until its count ends", () => {
  const counts = new Map<string, number>();
  const add = (by: 1 | -1) => {
    addCount(counts, "a", by);
    return [...counts];
  };
  expect([add(1), add(1), add(-1), add(-1)]).toEqual([[["a", 1]], [["a", 2]], [["a", 1]], []]);
  expect(add(-1)).toEqual([]);
});
