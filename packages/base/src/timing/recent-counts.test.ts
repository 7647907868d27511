import { expect, test } from "vitest";
import { RecentCounts } from "./recent-counts.ts";

test("so many times within the window are often, each key for itself", () => {
  const counts = new RecentCounts<string>(1_000, 3);
  for (const atMs of [0, 400, 800]) counts.add("a", atMs);
  counts.add("b", 800);
  expect([counts.isOften("a", 999), counts.isOften("b", 999)]).toEqual([true, false]);
  expect(counts.isOften("a", 1_000)).toBe(false);
  counts.add("a", 1_100);
  expect(counts.isOften("a", 1_399)).toBe(true);
});
