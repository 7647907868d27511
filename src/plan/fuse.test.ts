import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nameOf } from "../../test/support/values/zone-text.ts";
import {
  approveFuse,
  FUSE_WINDOW_MS,
  type FuseInput,
  type FuseItem,
  type FuseState,
  fuseItem,
  heldSets,
  newFuse,
  passFuse,
} from "./fuse.ts";

const item = (name: string, weak = false, marker = "m"): FuseItem =>
  fuseItem({ name: nameOf(name), type: "A", setIdentifier: null }, marker, weak);
const items = (count: number, weak = false, prefix = "n") =>
  Array.from({ length: count }, (_, index) => item(`${prefix}${index}`, weak));

const input = (overrides: Partial<FuseInput>): FuseInput => ({
  nowMs: 0,
  owned: 100,
  isOwned: () => true,
  planned: new Set((overrides.removals ?? []).map((one) => one.name)),
  removals: [],
  updates: [],
  losesLastName: false,
  version: "v1",
  ...overrides,
});

/** A fuse that has seen the zone with so many owned record sets. */
const opened = (owned: number) => passFuse(newFuse(), input({ owned })).state;
/** What storing and loading does to the state. */
const restart = (state: FuseState): FuseState => JSON.parse(JSON.stringify(state));

describe("thresholds (Z-16)", () => {
  test.each([
    ["strong: above 30 %, and at least 10", 100, false, 30],
    ["strong: a small zone may lose 9", 12, false, 9],
    ["strong: a tiny zone too", 1, false, 9],
    ["weak: above 30 %", 100, true, 30],
    ["weak: a small zone may lose 3", 9, true, 3],
  ])("%s", (_, owned, weak, most) => {
    const all = items(most + 1, weak);
    const fits = passFuse(opened(owned), input({ owned, removals: all.slice(0, most) }));
    expect(fits.held.size).toBe(0);
    const next = passFuse(fits.state, input({ owned, removals: items(1, weak, "x") }));
    expect(next.held.size, "what passed counts for what follows").toBe(1);
    const tooMany = passFuse(opened(owned), input({ owned, removals: all }));
    expect(tooMany.held.size).toBe(most + 1);
    expect([...new Set(tooMany.held.values())]).toEqual([tooMany.state.frozen?.hash]);
  });

  test("the last owned name goes only under the strong proof", () => {
    const last = { owned: 1, losesLastName: true };
    const strong = passFuse(opened(1), input({ ...last, removals: items(1) }));
    expect(strong.held.size).toBe(0);
    const weak = passFuse(opened(1), input({ ...last, removals: items(1, true) }));
    expect(weak.held.size).toBe(1);
    expect(passFuse(opened(1), input(last)).state.frozen).toBeNull();
  });

  test("an hour later the window is empty again, and its start has moved", () => {
    const first = passFuse(opened(100), input({ removals: items(30) })).state;
    const early = { nowMs: FUSE_WINDOW_MS - 1, owned: 70, removals: items(1, false, "x") };
    expect(passFuse(first, input(early)).held.size).toBe(1);
    const late = { nowMs: FUSE_WINDOW_MS, owned: 70, removals: items(21, false, "x") };
    expect(passFuse(first, input(late)).held.size).toBe(0);
    const watched = passFuse(first, input({ nowMs: FUSE_WINDOW_MS / 2, owned: 70 })).state;
    const tooMany = { nowMs: 1.5 * FUSE_WINDOW_MS, owned: 70, removals: items(22, false, "x") };
    expect(passFuse(watched, input(tooMany)).held.size).toBe(22);
  });

  test("asking again about the same removal counts it once", () => {
    let state = opened(10);
    for (let round = 0; round < 50; round++) {
      const verdict = passFuse(state, input({ owned: 10, removals: items(3, true) }));
      expect(verdict.held.size).toBe(0);
      state = verdict.state;
    }
  });
});

describe("proof 4: the stream fuse", () => {
  /** Cuts a list into slices of the given sizes, round and round. */
  function slices<T>(all: readonly T[], sizes: readonly number[]): readonly (readonly T[])[] {
    const overrides: T[][] = [];
    for (let at = 0, turn = 0; at < all.length; turn++) {
      const size = sizes[turn % sizes.length] ?? 1;
      overrides.push(all.slice(at, at + size));
      at += size;
    }
    return overrides;
  }

  const history = fc.record({
    owned: fc.integer({ min: 1, max: 60 }),
    weak: fc.boolean(),
    removals: fc.integer({ min: 0, max: 40 }),
    order: fc.infiniteStream(fc.integer()),
    sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
    restarts: fc.infiniteStream(fc.boolean()),
  });

  test("law: any slicing, order and restart of the same removals trips at the same total", () => {
    fc.assert(
      fc.property(history, ({ owned, weak, removals, order, sizes, restarts }) => {
        const keyed = items(removals, weak).map((one) => ({ one, key: order.next().value }));
        const shuffled = keyed.sort((a, b) => Number(a.key) - Number(b.key)).map(({ one }) => one);
        const most = weak
          ? Math.max(Math.floor(0.3 * owned), 3)
          : Math.max(Math.floor(0.3 * owned), 9);
        let state = opened(owned);
        let nowMs = 0;
        for (const slice of slices(shuffled, sizes)) {
          nowMs += 1000;
          state = passFuse(state, input({ owned, nowMs, removals: slice })).state;
          if (restarts.next().value) state = restart(state);
        }
        expect(state.frozen !== null).toBe(removals > most);
        expect(state.passed.length).toBeLessThanOrEqual(most);
        const waiting = (state.frozen?.items.length ?? 0) + state.later.length;
        expect(state.passed.length + waiting).toBe(removals);
      }),
      { numRuns: 2000 },
    );
  });

  test("law: one at a time, exactly the allowed number passes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.boolean(), (owned, weak) => {
        let state = opened(owned);
        for (const one of items(80, weak))
          state = passFuse(state, input({ owned, removals: [one] })).state;
        const most = Math.max(Math.floor(0.3 * owned), weak ? 3 : 9);
        expect(state.passed.length).toBe(Math.min(64, most));
      }),
      { numRuns: 1000 },
    );
  });

  test("approval lands under constant unrelated change, and what came later forms the next set", () => {
    const all = items(31);
    let state = passFuse(opened(100), input({ removals: all })).state;
    const hash = state.frozen?.hash ?? "";
    const others = items(40, false, "other");
    for (const [index, one] of others.entries()) {
      const verdict = passFuse(
        state,
        input({ nowMs: index, removals: [one], updates: items(5, false, "u") }),
      );
      expect(verdict.held.get(one.id)).toBe("");
      state = restart(verdict.state);
      expect(state.frozen?.hash).toBe(hash);
    }
    expect(approveFuse(state, "another")).toBeNull();
    const approved = approveFuse(state, hash);
    if (approved === null) throw new Error("the hash was not accepted");
    const again = passFuse(approved, input({ removals: all }));
    expect([...again.held.keys()]).toEqual([]);
    expect(again.state.frozen?.items).toEqual(others);
    const once = passFuse(again.state, input({ removals: all }));
    expect(once.held.size, "an approved removal that failed may be repeated").toBe(0);
  });

  test("a next set that is small enough passes once the first is approved", () => {
    let state = passFuse(opened(100), input({ removals: items(31) })).state;
    state = passFuse(state, input({ removals: items(2, false, "x") })).state;
    const approved = approveFuse(state, state.frozen?.hash ?? "");
    const verdict = passFuse(approved ?? newFuse(), input({ removals: items(2, false, "x") }));
    expect(verdict.held.size).toBe(0);
    expect(verdict.state.later).toEqual([]);
  });

  test("what is wanted again leaves the set; its hash stands; an empty set dissolves", () => {
    const all = items(31);
    const tripped = passFuse(opened(100), input({ removals: all })).state;
    const back = passFuse(tripped, input({ planned: new Set([nameOf("n0")]) })).state;
    expect(back.frozen?.items.length).toBe(30);
    expect(back.frozen?.hash).toBe(tripped.frozen?.hash);
    const gone = passFuse(back, input({ planned: new Set(all.map((one) => one.name)) })).state;
    expect(gone.frozen).toBeNull();
  });

  test("a changed marker is another item and needs its own approval", () => {
    const all = items(31);
    const tripped = passFuse(opened(100), input({ removals: all })).state;
    const approved = approveFuse(tripped, tripped.frozen?.hash ?? "") ?? newFuse();
    const changed = Array.from({ length: 31 }, (_, index) => item(`n${index}`, false, "other"));
    expect(passFuse(approved, input({ removals: changed })).held.size).toBe(31);
  });

  test("an approval ends when nothing of ours is left at its name", () => {
    const tripped = passFuse(opened(100), input({ removals: items(31) })).state;
    const approved = approveFuse(tripped, tripped.frozen?.hash ?? "") ?? newFuse();
    const gone = passFuse(approved, input({ isOwned: () => false })).state;
    expect([approved.approvedRemovals.length, gone.approvedRemovals]).toEqual([31, []]);
    const held = passFuse(newFuse(), input({ updates: items(31) })).state;
    const changed = approveFuse(held, held.heldUpdates?.hash ?? "") ?? newFuse();
    const none = passFuse(changed, input({ isOwned: () => false })).state;
    expect([changed.approvedUpdates.length, none.approvedUpdates]).toEqual([31, []]);
  });
});

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
    const both = passFuse(newFuse(), input({ updates, removals })).state;
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

describe("sets that wait (Z-16)", () => {
  const kinds = (state: FuseState) =>
    heldSets(state).map(({ kind, items: all }) => [kind, all.length]);

  test("the set that tripped, the next one and updates are distinguished, each with its hash", () => {
    const first = passFuse(
      newFuse(),
      input({ removals: items(31), updates: items(31, false, "u") }),
    );
    const later = passFuse(first.state, input({ removals: items(4, false, "x") })).state;
    expect(kinds(later)).toEqual([
      ["removals", 31],
      ["next-removals", 4],
      ["updates", 31],
    ]);
    expect(new Set(heldSets(later).map(({ hash }) => hash)).size).toBe(3);
  });

  test("the next set can be approved on its own; the first one waits on", () => {
    const tripped = passFuse(opened(100), input({ removals: items(31) })).state;
    const two = passFuse(tripped, input({ removals: items(4, false, "x") })).state;
    const before = heldSets(two)[1]?.hash ?? "";
    const three = passFuse(two, input({ removals: items(1, false, "y") })).state;
    expect(approveFuse(three, before), "another one joined it").toBeNull();
    const approved = approveFuse(three, heldSets(three)[1]?.hash ?? "") ?? newFuse();
    expect(kinds(approved)).toEqual([["removals", 31]]);
    const verdict = passFuse(
      approved,
      input({ removals: [...items(4, false, "x"), ...items(31)] }),
    );
    expect(verdict.held.size).toBe(31);
  });
});

describe("the edges of the machine", () => {
  test("nothing waits in a new fuse", () => {
    expect(heldSets(newFuse())).toEqual([]);
  });

  test("the hash is that of the items, in whatever order they came", () => {
    const all = items(31);
    const one = passFuse(opened(100), input({ removals: all })).state.frozen;
    const other = passFuse(opened(100), input({ removals: [...all].reverse() })).state.frozen;
    expect(other?.hash).toBe(one?.hash);
  });

  test("what waits is asked for again and stays in its set, with its hash", () => {
    const tripped = passFuse(opened(100), input({ removals: items(31) })).state;
    const again = passFuse(tripped, input({ removals: items(31) }));
    expect(again.state.later).toEqual([]);
    expect([...new Set(again.held.values())]).toEqual([tripped.frozen?.hash]);
  });

  test("what joined the next set and is wanted again leaves it", () => {
    const tripped = passFuse(opened(100), input({ removals: items(31) })).state;
    const [x] = items(1, false, "x");
    if (x === undefined) throw new Error("no item");
    const waiting = passFuse(tripped, input({ removals: [x] })).state;
    expect(passFuse(waiting, input({})).state.later).toEqual([x]);
    expect(passFuse(waiting, input({ planned: new Set([x.name]) })).state.later).toEqual([]);
  });

  test("the zone is sampled once a minute", () => {
    const at = (nowMs: number) => passFuse(opened(100), input({ nowMs })).state.samples.length;
    expect([at(0), at(59_999), at(60_000)]).toEqual([1, 1, 2]);
    const second = passFuse(opened(100), input({ nowMs: 60_000 })).state;
    expect(passFuse(second, input({ nowMs: 119_999 })).state.samples).toEqual(second.samples);
  });

  test.each([
    ["strong", false],
    ["weak", true],
  ])(
    "%s removals that passed never trip by themselves, although the zone is smaller now",
    (_, weak) => {
      const minute = 60_000;
      const watched = passFuse(opened(100), input({ nowMs: 61 * minute, owned: 70 })).state;
      const late = { nowMs: 61.5 * minute, owned: 70, removals: items(30, weak) };
      const passed = passFuse(watched, input(late));
      expect([passed.held.size, passed.state.passed.length]).toEqual([0, 30]);
      const later = { nowMs: 121.25 * minute, owned: 40 };
      expect(passFuse(passed.state, input(later)).state.frozen).toBeNull();
      const one = passFuse(passed.state, input({ ...later, removals: items(1, weak, "x") }));
      expect(one.held.size).toBe(1);
    },
  );

  test("the same items to change and to go are two sets with two hashes", () => {
    const all = items(31);
    const both = passFuse(newFuse(), input({ removals: all, updates: all })).state;
    expect(new Set(heldSets(both).map(({ hash }) => hash)).size).toBe(2);
  });
});

describe("an approval is for one kind of change (Z-16)", () => {
  const WEEK_MS = 7 * 86_400_000;
  const all = (weak = false) => items(50, weak);
  const pass = (overrides: Partial<FuseInput>) => input({ owned: 50, version: "v2", ...overrides });
  const seen = passFuse(newFuse(), input({ owned: 50 })).state;

  test("updates that were approved and made are held when all of them are to go later", () => {
    const held = passFuse(seen, pass({ updates: all() })).state;
    const approved = approveFuse(held, held.heldUpdates?.hash ?? "") ?? newFuse();
    const made = passFuse(approved, pass({ nowMs: 1000, updates: all() }));
    expect(made.held.size).toBe(0);
    const later = passFuse(restart(made.state), pass({ nowMs: WEEK_MS })).state;
    const gone = { nowMs: WEEK_MS + 1000, removals: all(true), losesLastName: true };
    expect(passFuse(later, pass(gone)).held.size).toBe(50);
  });

  test("removals that were approved are held where they are updates of another version's first plan", () => {
    const held = passFuse(seen, pass({ removals: all(true) })).state;
    const approved = approveFuse(held, held.frozen?.hash ?? "") ?? newFuse();
    const next = passFuse(approved, pass({ version: "v3", updates: all() }));
    expect(next.held.size).toBe(50);
  });

  test("a set of updates that are to go now is gone, and its hash approves nothing", () => {
    const names = new Set(all().map(({ name }) => name));
    const held = passFuse(seen, pass({ updates: all() })).state;
    const turned = passFuse(held, pass({ planned: names, removals: all(true) })).state;
    expect(heldSets(turned).map(({ kind }) => kind)).toEqual(["removals"]);
    expect(approveFuse(turned, held.heldUpdates?.hash ?? "")).toBeNull();
    const back = passFuse(turned, pass({ planned: names, updates: all(), isFirstPlan: false }));
    expect([heldSets(back.state), back.held.size]).toEqual([[], 0]);
  });
});

describe("what makes an item and what an approval adds to", () => {
  test("a new fuse has seen nothing and waits for nothing", () => {
    expect(newFuse()).toEqual({
      ...{ samples: [], passed: [], frozen: null, later: [] },
      ...{ approvedRemovals: [], approvedUpdates: [], version: null, heldUpdates: null },
      trial: null,
    });
  });

  test("two set identifiers of one key are two items", () => {
    const key = { name: nameOf("www"), type: "A" };
    const [a, b] = ["a", "b"].map((setIdentifier) =>
      fuseItem({ ...key, setIdentifier }, "m", false),
    );
    expect(a?.id).not.toBe(b?.id);
  });

  test("a second approval leaves the first one as it is", () => {
    const [first, second] = [items(31), items(31, false, "later")];
    const one = passFuse(opened(100), input({ removals: first })).state;
    const two = passFuse(one, input({ removals: [...first, ...second] })).state;
    const sets = heldSets(two).map(({ hash }) => hash);
    const approved = sets.reduce((state, hash) => approveFuse(state, hash) ?? state, two);
    expect(approved.approvedRemovals).toHaveLength(62);
    const all = passFuse(approved, input({ removals: [...first, ...second] }));
    expect(all.held.size).toBe(0);
  });

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
    const isOwned = (name: string): boolean => name === nameOf("a1");
    const left = passFuse(both, input({ version: "v3", isOwned })).state.approvedUpdates;
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
