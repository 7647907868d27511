import { Slices } from "@zonekeeper/base/ports/clock";
import { array, assert, asyncProperty, boolean, constantFrom, oneof, record } from "fast-check";
import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { indexIn, SortedNames } from "./sorted-names.ts";

const slices = () => new Slices(new VirtualClock());
const NAMES = Array.from({ length: 12 }, (_, index) => `n${index}.example.org`);

/** A source that can be changed, and the names that are kept of it. */
function kept(first: readonly string[]) {
  const source = new Set(first);
  const names = new SortedNames({ all: () => source, isThere: (name) => source.has(name) });
  return { source, names };
}

test("names are in order whatever came and went, told one by one or all at once", async () => {
  const step = record({ name: constantFrom(...NAMES), isThere: boolean(), isAsked: boolean() });
  const ways = oneof(constantFrom("each" as const), constantFrom("all" as const));
  await assert(
    asyncProperty(array(constantFrom(...NAMES)), array(step), ways, async (first, steps, how) => {
      const { source, names } = kept(first);
      for (const { name, isThere, isAsked } of steps) {
        if (isAsked) await names.sorted(slices());
        if (isThere) source.add(name);
        else source.delete(name);
        names.changed(how === "all" ? "all" : new Set([name]));
      }
      expect(await names.sorted(slices())).toEqual([...source].sort());
    }),
  );
});

test("many names are sorted in parts, and none is lost between two slices", async () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `h${(index * 7919) % 20_000}.org`);
  const { source, names } = kept(many);
  const clock = new VirtualClock();
  let turns = 0;
  const slicing = {
    get isOver() {
      return true;
    },
    next: async () => {
      turns += 1;
      const name = `new${turns}.org`;
      source.add(name);
      names.changed(new Set([name]));
    },
  };
  const sorted = await names.sorted(slicing as never);
  expect(turns).toBeGreaterThan(3);
  expect(sorted).toEqual([...source].sort());
  names.changed(new Set([...source].slice(0, 2_000)));
  expect(await names.sorted(new Slices(clock)), "too many to be kept up").toEqual(
    [...source].sort(),
  );
});

test("what changes as a whole while it is sorted is sorted anew", async () => {
  const { source, names } = kept(Array.from({ length: 9_000 }, (_, index) => `a${index}`));
  let isFirst = true;
  const slicing = {
    isOver: true,
    next: async () => {
      if (!isFirst) return;
      isFirst = false;
      source.add("z");
      source.delete("a1");
      names.changed("all");
    },
  };
  expect(await names.sorted(slicing as never)).toEqual([...source].sort());
});

describe("an index", () => {
  test.each([
    ["b", false, 1],
    ["b", true, 2],
    ["bb", false, 2],
    ["", false, 0],
    ["z", true, 3],
  ] as const)("of %s, after it: %s", (name, isAfter, index) => {
    expect(indexIn(["a", "b", "c"], name, isAfter)).toBe(index);
  });
});
