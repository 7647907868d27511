import { describe, expect, test } from "vitest";
import {
  input,
  item,
  items,
  newFuse,
  opened,
  restart,
  settled,
} from "../../test/support/values/fuse-items.ts";
import { nameOf } from "../../test/support/values/zone-text.ts";
import { approveFuse, heldSets, passFuse } from "./fuse.ts";
import { endFirstPlan } from "./fuse-first-plan.ts";
import type { FuseInput } from "./fuse-input.ts";
import type { FuseItem, FuseState } from "./fuse-state.ts";
import { newFuse as neverUsed, readFuse } from "./fuse-state.ts";

describe("updates after a change of version or configuration", () => {
  const updates = items(31);
  test("the first plan of a version is held above 30 % and 10, later plans are not", () => {
    const first = passFuse(newFuse(), input({ updates }));
    expect(first.held.size).toBe(31);
    expect(passFuse(opened(100), input({ updates })).held.size).toBe(0);
    const again = passFuse(first.state, input({ updates: [...updates, item("fresh")] }));
    expect(again.held.size, "held ones wait, new ones pass").toBe(31);
    const approved = approveFuse(restart(again.state), first.state.heldUpdates?.hash ?? "");
    expect(passFuse(approved ?? newFuse(), input({ updates })).held.size).toBe(0);
  });

  test("ten updates of a small zone are the fewest that wait, and each item counts once", () => {
    const count = (owned: number, given: readonly FuseItem[]) =>
      passFuse(newFuse(), input({ owned, updates: given })).held.size;
    expect([count(1, items(9)), count(1, items(10)), count(34, items(10))]).toEqual([0, 10, 0]);
    const twice = passFuse(newFuse(), input({ updates: [...updates, ...updates] })).state;
    expect(twice.heldUpdates?.items).toHaveLength(31);
  });

  test("what is wanted otherwise again leaves the held set; removals and updates are distinguished", () => {
    const first = passFuse(newFuse(), input({ updates })).state;
    const names = new Set(updates.map(({ name }) => name));
    const one = passFuse(first, input({ planned: names, updates: updates.slice(0, 1) }));
    expect([...one.held]).toEqual([[updates[0]?.id, first.heldUpdates?.hash]]);
    expect(passFuse(first, input({ planned: names })).state.heldUpdates).toBeNull();
    const gone = passFuse(first, input({ removals: items(1, false, "x") }));
    expect([gone.held.size, gone.state.passed.length]).toEqual([0, 1]);
  });

  test("approving them leaves removals as they are", () => {
    const removals = items(31, false, "r");
    const both = settled(passFuse(newFuse(), input({ updates, removals })).state);
    const approved = approveFuse(both, both.heldUpdates?.hash ?? "") ?? newFuse();
    expect(approved.heldUpdates).toBeNull();
    expect(approved.frozen?.hash).toBe(both.frozen?.hash);
    const other = approveFuse(both, both.frozen?.hash ?? "") ?? newFuse();
    expect(other.frozen).toBeNull();
    expect(other.heldUpdates?.hash).toBe(both.heldUpdates?.hash);
    expect(passFuse(other, input({ updates, removals })).held.size).toBe(31);
  });

  test("slices of one first plan are judged together, also over a restart, until it is over", () => {
    const slice = (from: number, to: number) =>
      input({ updates: updates.slice(from, to), isFirstPlan: true });
    const seen = passFuse(newFuse(), input({ version: "v0", isFirstPlan: true })).state;
    expect(seen.version, "in a zone that was never seen nothing has changed").toBe("v0");
    const nothing = passFuse(seen, input({ isFirstPlan: true })).state;
    const first = passFuse(nothing, slice(0, 30));
    expect([first.held.size, first.state.version]).toEqual([0, "v0"]);
    expect(passFuse(first.state, slice(0, 30)).held.size, "each counts once").toBe(0);
    const second = passFuse(restart(first.state), slice(29, 31));
    expect([...second.held.keys()], "what passed goes on passing").toEqual([updates[30]?.id]);
    const third = passFuse(
      second.state,
      input({ updates: items(2, false, "x"), isFirstPlan: true }),
    );
    expect(third.state.heldUpdates?.items).toHaveLength(3);
    const over = passFuse(
      third.state,
      input({ updates: items(40, false, "y"), isFirstPlan: false }),
    );
    expect([over.held.size, over.state.version, over.state.trial]).toEqual([0, "v1", null]);
    const other = passFuse(first.state, { ...slice(30, 31), version: "v2" });
    expect([other.held.size, other.state.trial?.passed.length]).toEqual([0, 1]);
  });

  test("few updates pass, and the version is remembered", () => {
    const verdict = passFuse(newFuse(), input({ updates: updates.slice(0, 30) }));
    expect(verdict.held.size).toBe(0);
    expect(verdict.state.version).toBe("v1");
    expect(passFuse(verdict.state, input({ version: "v2", updates })).held.size).toBe(31);
  });
});

describe("one first plan in several calls", () => {
  test("so does a second approval of updates, for as long as their names are ours", () => {
    const seen = passFuse(newFuse(), input({})).state;
    const approve = (state: FuseState, version: string, prefix: string) => {
      const pass = input({ version, updates: items(31, false, prefix), isFirstPlan: true });
      const held = passFuse(state, pass).state;
      return approveFuse(held, held.heldUpdates?.hash ?? "") ?? newFuse();
    };
    const both = approve(approve(seen, "v2", "a"), "v3", "b");
    expect(both.approvedUpdates).toHaveLength(62);
    expect(passFuse(both, input({ version: "v3" })).state.approvedUpdates).toHaveLength(62);
    const planned = { has: (name: string): boolean => name !== nameOf("a1") };
    const left = passFuse(both, input({ version: "v3", planned })).state.approvedUpdates;
    expect(left.map(({ name }) => name)).toEqual([nameOf("a1")]);
  });

  test("who does not say whether a look is the first has made it with one look", () => {
    const seen = passFuse(newFuse(), input({})).state;
    const first = passFuse(seen, input({ version: "v2", updates: items(5) })).state;
    expect([first.version, first.trial]).toEqual(["v2", null]);
    expect(passFuse(first, input({ version: "v2", updates: items(40) })).held.size).toBe(0);
  });

  test("three slices of a first plan count together", () => {
    const seen = passFuse(newFuse(), input({ owned: 30 })).state;
    const pass = (state: FuseState, prefix: string) =>
      passFuse(
        state,
        input({ owned: 30, version: "v2", updates: items(4, false, prefix), isFirstPlan: true }),
      );
    const [a, b] = [pass(seen, "a"), pass(pass(seen, "a").state, "b")];
    expect([a.held.size, b.held.size]).toEqual([0, 0]);
    expect(pass(b.state, "c").held.size).toBe(4);
  });

  test("updates that wait are counted once, asked for again or not", () => {
    const seen = passFuse(newFuse(), input({ owned: 30 })).state;
    const first = { owned: 30, version: "v2", isFirstPlan: true };
    const planned = new Set(items(10).map(({ name }) => name));
    const pass = (state: FuseState, updates: readonly FuseItem[]) =>
      passFuse(state, input({ ...first, planned, updates }));
    const held = pass(seen, items(10)).state;
    // Eight are wanted as they stand again; two wait on, and three new ones are few.
    const few = pass(held, [...items(2), ...items(3, false, "x")]);
    expect([...few.held.keys()]).toEqual(items(2).map(({ id }) => id));
    expect(pass(few.state, [...items(2), ...items(4, false, "y")]).held.size).toBe(2);
    expect(pass(few.state, [...items(2), ...items(5, false, "y")]).held.size).toBe(7);
  });

  test("what has passed is no set that waits, although the zone has become smaller", () => {
    const seen = passFuse(newFuse(), input({})).state;
    const pass = { version: "v2", updates: items(20), isFirstPlan: true };
    const passed = passFuse(seen, input(pass)).state;
    expect(passFuse(passed, input({ ...pass, owned: 30 })).state.heldUpdates).toBeNull();
  });

  test("two sets of updates have two hashes", () => {
    const seen = passFuse(newFuse(), input({})).state;
    const hashOf = (prefix: string) =>
      passFuse(seen, input({ version: "v2", updates: items(31, false, prefix) })).state.heldUpdates
        ?.hash;
    expect(hashOf("a")).not.toBe(hashOf("b"));
  });
});

describe("Z-16 a narrower selection removes nothing in the first plan of a version", () => {
  const unselected = items(2, "unselected");
  const seen = passFuse(newFuse(), input({ version: "v1" })).state;
  const first = { version: "v2", isFirstPlan: true };

  test("every removal of what is alive without the name waits, as one set", () => {
    const one = passFuse(seen, input({ ...first, removals: unselected.slice(0, 1) })).state;
    const both = passFuse(one, input({ ...first, removals: unselected }));
    expect(both.held.size).toBe(2);
    const [set, ...others] = heldSets(both.state);
    expect(set).toMatchObject({ kind: "not-selected", removals: 2, items: { length: 2 } });
    expect([others, both.state.passed]).toEqual([[], []]);
    const approved = approveFuse(restart(both.state), set?.hash ?? "") ?? newFuse();
    expect(passFuse(approved, input({ ...first, removals: unselected })).held.size).toBe(0);
  });

  test("what was deleted, or changed before our eyes, goes; what is only missing counts as weak", () => {
    const strong = items(2, "strong", "s");
    expect(passFuse(seen, input({ ...first, removals: strong })).held.size).toBe(0);
    const weak = passFuse(seen, input({ ...first, removals: items(3, "weak", "w") }));
    expect([weak.held.size, weak.state.passed.length]).toEqual([0, 3]);
  });

  test("it waits on when the first plan is over; what comes then counts as weak", () => {
    const held = passFuse(seen, input({ ...first, removals: unselected })).state;
    const later = { version: "v2", isFirstPlan: false };
    const over = passFuse(held, input(later)).state;
    expect([over.version, heldSets(over)[0]?.kind]).toEqual(["v2", "not-selected"]);
    const fresh = passFuse(over, input({ ...later, removals: items(3, "unselected", "x") }));
    expect([fresh.held.size, fresh.state.passed.every(({ weak }) => weak)]).toEqual([0, true]);
  });

  test("what is selected again leaves the set; the same version holds nothing", () => {
    const held = passFuse(seen, input({ ...first, removals: unselected })).state;
    const planned = new Set(unselected.map(({ name }) => name));
    expect(heldSets(passFuse(held, input({ ...first, planned })).state)).toEqual([]);
    const same = input({ version: "v1", isFirstPlan: true, removals: unselected });
    expect(passFuse(seen, same).held.size).toBe(0);
  });
});

describe("Z-24 first contact with a zone", () => {
  const removals = items(2, "weak");
  const updates = items(2, "strong", "u");
  const first = { version: "v1", isFirstPlan: true };
  const meet = (more: object = {}) =>
    passFuse(neverUsed(), input({ ...first, removals, updates, ...more }));

  test("every removal and every replacement waits, as one set, until it is approved", () => {
    const { state, held } = meet();
    const [set, ...others] = heldSets(state);
    expect(set).toMatchObject({ kind: "first-contact", removals: 2, items: { length: 4 } });
    expect([...held.values()]).toEqual(Array(4).fill(set?.hash));
    expect(others).toEqual([]);
    const approved = approveFuse(restart(state), set?.hash ?? "") ?? neverUsed();
    const next = passFuse(approved, input({ ...first, removals, updates }));
    expect([next.held.size, next.state.met]).toEqual([0, true]);
    const more = passFuse(next.state, input({ ...first, removals: items(1, "weak", "x") }));
    expect(more.held.size).toBe(0);
  });

  test("what this process watched to end passes, and counts; an end that began before waits", () => {
    const watched = items(2, "strong", "w");
    const found = items(1, "found", "f");
    const { state, held } = meet({ removals: [...removals, ...watched, ...found] });
    expect([...held.keys()]).toEqual([...removals, ...found, ...updates].map(({ id }) => id));
    expect(state.passed.map(({ id }) => id)).toEqual(watched.map(({ id }) => id));
  });

  test("what joins changes the hash, and the old one approves nothing", () => {
    const { state } = meet();
    const old = heldSets(state)[0]?.hash ?? "";
    const grown = passFuse(state, input({ ...first, removals: items(1, "weak", "x") })).state;
    expect(approveFuse(grown, old)).toBeNull();
    expect(heldSets(grown)[0]).toMatchObject({ removals: 3, items: { length: 5 } });
  });

  test("an empty zone, and one that a fence says we met, is no first contact", () => {
    expect(meet({ owned: 0 }).state.met).toBe(true);
    expect(meet({ wasMet: true }).state.met).toBe(true);
    expect(meet({ wasMet: true }).held.size).toBe(0);
  });

  test("it lasts over a restart, whatever was published meanwhile", () => {
    const { state } = meet({ removals: [], updates: [] });
    const next = passFuse(restart(state), input({ ...first, owned: 0, removals }));
    expect(next.held.size).toBe(2);
  });

  test("it is over with a first plan that has nothing to take", () => {
    const { state } = meet({ removals: [], updates: [] });
    expect(state.met).toBe(false);
    expect(endFirstPlan(state, "v1").met).toBe(true);
    const waiting = endFirstPlan(meet().state, "v1");
    expect(waiting.met).toBe(false);
    const planned = new Set([...removals, ...updates].map(({ name }) => name));
    const after = { version: "v1", isFirstPlan: false };
    const gone = passFuse(waiting, input({ ...after, planned })).state;
    expect(passFuse(gone, input(after)).state.met).toBe(true);
    const still = passFuse(waiting, input({ ...after, removals }));
    expect([still.held.size, still.state.met]).toEqual([2, false]);
  });

  test.each<[string, Partial<FuseInput>, boolean]>([
    ["nothing waits, and its first plan is over", { isFirstPlan: false }, true],
    ["nothing waits yet, and its first plan goes on", { isFirstPlan: true }, false],
    ["nothing waits, and a kind is not read", { isFirstPlan: false, isAllRead: false }, false],
    ["a removal is found", { isFirstPlan: false, removals }, false],
    ["a replacement is found", { isFirstPlan: false, updates }, false],
    ["as many of both are found", { isFirstPlan: false, removals, updates }, false],
  ])("while no set waits: %s", (_, more, isMet) => {
    const { state } = meet({ removals: [], updates: [] });
    const next = passFuse(state, input({ version: "v1", ...more }));
    expect(next.state.met).toBe(isMet);
    const found = [...(more.removals ?? []), ...(more.updates ?? [])];
    expect([...next.held.keys()]).toEqual(found.map(({ id }) => id));
  });

  test.each([
    ["removals", { removals, updates: [] }],
    ["replacements", { removals: [], updates }],
  ])("while %s wait that other names asked for, it lasts", (_, more) => {
    const { state } = meet(more);
    const after = { version: "v1", isFirstPlan: false, planned: new Set<never>() };
    const next = passFuse(state, input(after));
    expect([next.state.met, heldSets(next.state).length]).toEqual([false, 1]);
  });

  test("a contact that is over stays over, whatever the zone shows", () => {
    const over = meet({ owned: 0 }).state;
    const next = passFuse(over, input({ ...first, removals, updates, owned: 9 }));
    expect([next.state.met, next.held.size]).toEqual([true, 0]);
  });

  test("counters of an earlier version, which knew no contact, have met their zone", () => {
    const { met: _, ...earlier } = passFuse(newFuse(), input({})).state;
    expect(readFuse(JSON.stringify(earlier)).met).toBe(true);
    expect(readFuse("{}").met).toBeNull();
  });

  test("held removals of a version that stored no namespaces are of none, and weak", () => {
    const { state } = meet({ removals });
    const stored = JSON.parse(JSON.stringify(state));
    for (const item of stored.heldRemovals.items) delete item.namespace;
    const earlier = { namespace: "", proof: "weak" };
    expect(readFuse(JSON.stringify(stored)).heldRemovals).toEqual({
      hash: state.heldRemovals?.hash,
      items: removals.map((item) => ({ ...item, ...earlier })),
    });
    const broken = { ...stored, heldRemovals: { ...stored.heldRemovals, items: [null] } };
    expect(() => readFuse(JSON.stringify(broken))).toThrow();
  });
});
