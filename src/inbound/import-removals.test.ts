import { expect, test } from "vitest";
import { ImportRemovals } from "./import-removals.ts";

const MINUTE = 60_000;
const names = (count: number, from = 0): readonly string[] =>
  Array.from({ length: count }, (_, at) => `n${at + from}`);

test("an object goes after two readings without its host, a minute apart", () => {
  const removals = new ImportRemovals();
  expect(removals.due(["a"], 5, 0, 0)).toEqual({ remove: [], waitMs: MINUTE });
  // The same reading, later: the zone was not asked again.
  expect(removals.due(["a"], 5, 0, 5 * MINUTE).remove).toEqual([]);
  expect(removals.due(["a"], 5, MINUTE - 1, MINUTE).remove).toEqual([]);
  expect(removals.due(["a"], 5, MINUTE, MINUTE)).toEqual({ remove: ["a"], waitMs: null });
});

test("a host that comes back begins anew", () => {
  const removals = new ImportRemovals();
  removals.due(["a"], 5, 0, 0);
  removals.due([], 5, 30_000, 30_000);
  expect(removals.due(["a"], 5, MINUTE, MINUTE).remove).toEqual([]);
});

test("ten an hour go; more are a set that a person approves", () => {
  const removals = new ImportRemovals();
  const over = names(11);
  removals.due(over, 20, 0, 0);
  expect(removals.due(over, 20, MINUTE, MINUTE).remove).toEqual([]);
  const { hash = "" } = removals.held ?? {};
  expect(removals.held?.names).toHaveLength(11);
  expect([removals.approve("other"), removals.approve(hash)]).toEqual([false, true]);
  expect(removals.due(over, 20, 2 * MINUTE, 2 * MINUTE).remove).toEqual(over);
});

test("of a large import a third may go", () => {
  const removals = new ImportRemovals();
  removals.due(names(30), 100, 0, 0);
  expect(removals.due(names(30), 100, MINUTE, MINUTE).remove).toHaveLength(30);
  removals.due(names(31, 100), 100, MINUTE, MINUTE);
  expect(removals.due(names(31, 100), 100, 2 * MINUTE, 2 * MINUTE).remove).toEqual([]);
});

test("slices count together for an hour; approved ones do not", () => {
  const removals = new ImportRemovals();
  const take = (over: readonly string[], atMs: number): number => {
    removals.due(over, 20, atMs, atMs);
    const { remove } = removals.due(over, 20, atMs + MINUTE, atMs + MINUTE);
    for (const name of remove) removals.removed(name, atMs + MINUTE);
    return remove.length;
  };
  expect(take(names(6), 0)).toBe(6);
  expect(take(names(6, 10), 5 * MINUTE)).toBe(0);
  removals.approve(removals.held?.hash ?? "");
  expect(take(names(6, 10), 10 * MINUTE)).toBe(6);
  expect(take(names(4, 20), 15 * MINUTE)).toBe(4);
  expect(take(names(1, 30), 20 * MINUTE)).toBe(0);
  expect(take(names(1, 30), 90 * MINUTE)).toBe(1);
});
