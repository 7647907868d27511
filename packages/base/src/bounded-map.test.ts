/** A bounded map forgets what was set longest ago. */
import { expect, test } from "vitest";
import { BoundedMap } from "./bounded-map.ts";

test("the oldest entry goes first, and what is set again is the newest", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1).set("b", 2).set("a", 3).set("c", 4);
  expect([...map]).toEqual([
    ["a", 3],
    ["c", 4],
  ]);
  map.delete("c");
  expect(map.has("c")).toBe(false);
});

test("a large one makes room for some more", () => {
  const map = new BoundedMap<number, number>(640);
  for (let key = 0; key <= 640; key++) map.set(key, key);
  expect([map.size, map.has(9), map.has(10)]).toEqual([631, false, true]);
});
