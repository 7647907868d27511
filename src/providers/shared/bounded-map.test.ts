/** What a session remembers stays bounded. */
import { expect, test } from "vitest";
import { BoundedMap } from "./bounded-map.ts";

test("the oldest entry goes first, and what is put again is the newest", () => {
  const map = new BoundedMap<number>(2);
  map.put("a", 1);
  map.put("b", 2);
  map.put("a", 3);
  map.put("c", 4);
  expect(["a", "b", "c"].map((key) => map.at(key))).toEqual([3, null, 4]);
  map.forget("c");
  expect(map.at("c")).toBeNull();
});
