import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { input, items, newFuse, opened, settled } from "../../test/support/values/fuse-items.ts";
import { runsOf } from "../../test/support/values/law-runs.ts";
import { FUSE_LIMITS } from "../model/fuse-limits.ts";
import { approveFuse, FREEZE_AFTER_MS, heldSets, passFuse } from "./fuse.ts";
import type { FuseInput } from "./fuse-input.ts";
import type { FuseItem, FuseState } from "./fuse-state.ts";

/** A zone in which some namespaces own so many record sets. */
function zoneOf(owned: Readonly<Record<string, number>>) {
  const total = Object.values(owned).reduce((sum, count) => sum + count, 0);
  const ownedIn = (namespace: string) => owned[namespace] ?? 0;
  const zone = { owned: total, ownedIn };
  const state = passFuse(newFuse(), input(zone)).state;
  const pass = (from: FuseState, removals: readonly FuseItem[], more: Partial<FuseInput> = {}) =>
    passFuse(from, input({ ...zone, removals, ...more }));
  return { state, pass };
}

const of = (namespace: string, count: number, weak = false) =>
  items(count, weak, namespace, namespace);
const heldOf = (held: ReadonlyMap<string, string>, all: readonly FuseItem[]) =>
  all.filter(({ id }) => held.has(id)).length;

describe("Z-16 the limits of namespaces", () => {
  test("1500 entries of one tenant do not let 211 of another go (attack B3)", () => {
    const { state, pass } = zoneOf({ default: 211, tb: 1_500 });
    let now = state;
    let held = 0;
    for (const one of of("default", 211)) {
      const verdict = pass(now, [one]);
      held += verdict.held.size;
      now = verdict.state;
    }
    expect([now.passed.length, held]).toEqual([63, 148]);
    expect(pass(state, of("default", 211)).held.size).toBe(211);
  });

  test("25 removals of one tenant hold nobody else's (attack B4)", () => {
    const { state, pass } = zoneOf({ default: 50, tb: 25 });
    const tripped = pass(state, of("tb", 25));
    expect(tripped.held.size).toBe(25);
    for (const at of [tripped.state, settled(tripped.state)])
      expect(pass(at, of("default", 3)).held.size).toBe(0);
    const sliced = of("tb", 25).reduce((now, one) => pass(now, [one]).state, state);
    expect(sliced.passed).toHaveLength(10);
    expect(pass(sliced, of("default", 3)).held.size).toBe(0);
    expect(pass(sliced, of("default", 4)).held.size, "the zone has lost ten already").toBe(4);
  });

  test("namespaces are held in falling order of their removals, until the rest is within the limit", () => {
    const { state, pass } = zoneOf({ a: 30, b: 30, c: 30, d: 10 });
    const all = [...of("a", 9), ...of("b", 6), ...of("c", 5), ...of("d", 4)];
    const { held } = pass(state, all);
    const byNamespace = ["a", "b", "c", "d"].map((one) => heldOf(held, of(one, 9)));
    expect(byNamespace).toEqual([9, 6, 0, 0]);
  });

  test("strong removals of one namespace do not wait for the weak ones of another", () => {
    const { state, pass } = zoneOf({ a: 50, b: 50 });
    const { held } = pass(state, [...of("a", 5), ...of("b", 4, true)]);
    expect([heldOf(held, of("a", 5)), heldOf(held, of("b", 4, true))]).toEqual([0, 4]);
  });

  test.each([
    [9, 27],
    [10, 10],
  ])("of %i namespaces with 3 removals each, %i removals pass", (count, most) => {
    const names = Array.from({ length: count }, (_, index) => `t${index}`);
    const { state, pass } = zoneOf(Object.fromEntries(names.map((name) => [name, 10])));
    const all = names.flatMap((name) => of(name, 3));
    expect(all.length - pass(state, all).held.size).toBeLessThanOrEqual(most);
    expect(all.length - pass(state, all).held.size).toBeGreaterThan(most - 3);
  });

  test("a namespace may lose 30 % of its names, and no more", () => {
    const { state, pass } = zoneOf({ a: 100, b: 900 });
    expect(pass(state, of("a", 30)).held.size).toBe(0);
    expect(pass(state, of("a", 31)).held.size).toBe(31);
  });

  test("a namespace is as large as at its first removal of the hour", () => {
    const { state, pass } = zoneOf({ a: 100, b: 900 });
    const first = pass(state, of("a", 15)).state;
    const smaller = { ownedIn: () => 85 };
    expect(pass(first, items(15, false, "x", "a"), smaller).held.size).toBe(0);
    expect(pass(first, items(16, false, "x", "a"), smaller).held.size).toBe(16);
  });

  test("while a set waits, what its namespace removes later waits behind it", () => {
    const { state, pass } = zoneOf({ a: 50, b: 50 });
    const frozen = settled(pass(state, of("a", 16)).state);
    const later = pass(frozen, items(1, false, "x", "a"));
    expect([...later.held.values()]).toEqual([""]);
    expect(heldSets(later.state).map(({ kind }) => kind)).toEqual(["removals", "next-removals"]);
  });

  test("each limit may be another", () => {
    const { state, pass } = zoneOf({ a: 1_000 });
    const passes = (limits: Partial<typeof FUSE_LIMITS>, count: number, weak: boolean) =>
      pass(state, of("a", count, weak), { limits: { ...FUSE_LIMITS, ...limits } }).held.size === 0;
    expect([passes({ strong: 200 }, 200, false), passes({}, 200, false)]).toEqual([true, false]);
    expect([passes({ strongShare: 0.2 }, 200, false)]).toEqual([true]);
    expect([passes({ namespaceShare: 0.05 }, 51, false)]).toEqual([false]);
    expect([passes({ weak: 30 }, 30, true), passes({ weakShare: 0.03 }, 30, true)]).toEqual([
      true,
      true,
    ]);
    expect([passes({ weak: 0, weakShare: 0 }, 3, true)], "few are free").toEqual([true]);
    expect([passes({ weak: 0, weakShare: 0, free: 0 }, 3, true)]).toEqual([false]);
  });

  test("strong removals of a preview namespace are not counted, weak ones are", () => {
    const { state, pass } = zoneOf({ pr1: 20, b: 20 });
    const isEphemeral = (namespace: string) => namespace === "pr1";
    const gone = pass(state, of("pr1", 20), { isEphemeral });
    expect([gone.held.size, gone.state.passed]).toEqual([0, []]);
    expect(pass(state, of("pr1", 20, true), { isEphemeral }).held.size).toBe(20);
    expect(pass(state, of("b", 20), { isEphemeral }).held.size).toBe(20);
  });

  test("law: whatever the slices, no more passes than the limit and what is free", () => {
    const removal = fc.record({
      namespace: fc.constantFrom(..."abcdefghijkl"),
      weak: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(removal, { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        (removals, size) => {
          const all = removals.map(({ namespace, weak }, index) =>
            of(namespace, index + 1, weak).slice(-1),
          );
          const { state, pass } = zoneOf({ a: 20, b: 20 });
          let now = state;
          for (let at = 0; at < all.length; at += size)
            now = pass(now, all.slice(at, at + size).flat()).state;
          const counts = new Map<string, number>();
          for (const { namespace } of now.passed)
            counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
          const counted = [...counts.values()].filter((count) => count > FUSE_LIMITS.free);
          const sum = counted.reduce((total, count) => total + count, 0);
          expect(sum).toBeLessThanOrEqual(10);
          expect(now.passed.length).toBeLessThanOrEqual(27);
        },
      ),
      { numRuns: runsOf(1000) },
    );
  });
});

describe("Z-16 a set is frozen 10 s after its last item", () => {
  const at = (state: FuseState, nowMs: number, removals: readonly FuseItem[]) =>
    passFuse(state, input({ nowMs, removals })).state;

  test("until then its hash changes, and an old one approves nothing", () => {
    const first = at(opened(100), 1_000, items(12));
    const old = heldSets(first)[0]?.hash ?? "";
    const second = at(first, 1_000 + FREEZE_AFTER_MS - 1, items(1, false, "x"));
    expect(second.frozen).toBeNull();
    expect(approveFuse(second, old)).toBeNull();
    const grown = heldSets(second)[0]?.hash ?? "";
    expect(approveFuse(second, grown)?.approvedRemovals).toHaveLength(13);
    const third = at(second, 2_000 + 2 * FREEZE_AFTER_MS, items(1, false, "y"));
    expect(third.frozen).toMatchObject({ hash: grown, items: { length: 13 } });
    expect(third.later).toHaveLength(1);
  });

  test("asking again does not put it off", () => {
    const first = at(opened(100), 0, items(12));
    const again = at(first, FREEZE_AFTER_MS - 1, items(12));
    expect(at(again, FREEZE_AFTER_MS, items(12)).frozen?.items).toHaveLength(12);
  });
});
