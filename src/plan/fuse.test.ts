import fc from "fast-check";
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
import { runsOf } from "../../test/support/values/law-runs.ts";
import { nameOf } from "../../test/support/values/zone-text.ts";
import { approveFuse, FUSE_WINDOW_MS, heldSets, passFuse } from "./fuse.ts";
import type { FuseInput } from "./fuse-input.ts";
import { type FuseState, fuseItem } from "./fuse-state.ts";

describe("thresholds (Z-16)", () => {
  test.each([
    ["strong: above 10 in a small zone", 12, false, 10],
    ["strong: a tiny zone may lose 10", 1, false, 10],
    ["strong: above 10 % of a zone", 300, false, 30],
    ["weak: above 3 in a small zone", 9, true, 3],
    ["weak: above 1 % of a zone: of 1000 names 10 go", 1000, true, 10],
  ])("%s", (_, owned, weak, most) => {
    const all = items(most + 1, weak);
    const fits = passFuse(opened(owned), input({ owned, removals: all.slice(0, most) }));
    expect(fits.held.size).toBe(0);
    const next = passFuse(fits.state, input({ owned, removals: items(1, weak, "x") }));
    expect(next.held.size, "what passed counts for what follows").toBe(1);
    const tooMany = passFuse(opened(owned), input({ owned, removals: all }));
    expect(tooMany.held.size).toBe(most + 1);
    const hashes = [...new Set(tooMany.held.values())];
    expect(hashes).toEqual([settled(tooMany.state).frozen?.hash]);
  });

  test("the last owned name goes only under the strong proof", () => {
    const last = { owned: 1, losesLastName: true };
    const strong = passFuse(opened(1), input({ ...last, removals: items(1) }));
    expect(strong.held.size).toBe(0);
    const weak = passFuse(opened(1), input({ ...last, removals: items(1, true) }));
    expect(weak.held.size).toBe(1);
    expect(heldSets(passFuse(opened(1), input(last)).state)).toEqual([]);
  });

  test("an hour later the window is empty again, and its start has moved", () => {
    const zone = { owned: 300 };
    const first = passFuse(opened(300), input({ ...zone, removals: items(30) })).state;
    const early = { nowMs: FUSE_WINDOW_MS - 1, owned: 270, removals: items(1, false, "x") };
    expect(passFuse(first, input(early)).held.size).toBe(1);
    const late = { nowMs: FUSE_WINDOW_MS, owned: 270, removals: items(30, false, "x") };
    expect(passFuse(first, input(late)).held.size).toBe(0);
    const watched = passFuse(first, input({ nowMs: FUSE_WINDOW_MS / 2, owned: 270 })).state;
    const then = (count: number) => ({
      ...{ nowMs: 1.5 * FUSE_WINDOW_MS, owned: 270, removals: items(count, false, "x") },
    });
    expect(passFuse(watched, input(then(27))).held.size).toBe(0);
    expect(passFuse(watched, input(then(28))).held.size).toBe(28);
  });

  test("records that are made within the hour widen no limit of the zone", () => {
    const minute = 60_000;
    const grown = passFuse(opened(100), input({ nowMs: minute, owned: 1_600 })).state;
    const removals = items(11);
    expect(passFuse(grown, input({ nowMs: 2 * minute, owned: 1_600, removals })).held.size).toBe(
      11,
    );
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

test("what passed on a strong proof counts anew on a weak one, and never the other way", () => {
  const strong = passFuse(opened(10), input({ owned: 10, removals: items(4) })).state;
  expect(passFuse(strong, input({ owned: 10, removals: items(4, true) })).held.size).toBe(4);
  const weak = passFuse(opened(10), input({ owned: 10, removals: items(3, true) })).state;
  const again = passFuse(weak, input({ owned: 10, removals: items(3) })).state;
  expect(passFuse(again, input({ owned: 10, removals: items(1, true, "x") })).held.size).toBe(1);
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
    owned: fc.integer({ min: 1, max: 400 }),
    weak: fc.boolean(),
    removals: fc.integer({ min: 0, max: 50 }),
    order: fc.infiniteStream(fc.integer()),
    sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
    restarts: fc.infiniteStream(fc.boolean()),
  });
  const mostOf = (owned: number, weak: boolean) =>
    weak ? Math.max(Math.floor(0.01 * owned), 3) : Math.max(Math.floor(0.1 * owned), 10);

  test("law: any slicing, order and restart of the same removals trips at the same total", () => {
    fc.assert(
      fc.property(history, ({ owned, weak, removals, order, sizes, restarts }) => {
        const keyed = items(removals, weak).map((one) => ({ one, key: order.next().value }));
        const shuffled = keyed.sort((a, b) => Number(a.key) - Number(b.key)).map(({ one }) => one);
        const most = mostOf(owned, weak);
        let state = opened(owned);
        let nowMs = 0;
        for (const slice of slices(shuffled, sizes)) {
          nowMs += 1000;
          state = passFuse(state, input({ owned, nowMs, removals: slice })).state;
          if (restarts.next().value) state = restart(state);
        }
        const waiting = (state.frozen?.items.length ?? 0) + state.later.length;
        expect(waiting > 0).toBe(removals > most);
        expect(state.passed.length).toBeLessThanOrEqual(most);
        expect(state.passed.length + waiting).toBe(removals);
      }),
      { numRuns: runsOf(2000) },
    );
  });

  test("law: one at a time, exactly the allowed number passes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.boolean(), (owned, weak) => {
        let state = opened(owned);
        for (const one of items(50, weak))
          state = passFuse(state, input({ owned, removals: [one] })).state;
        expect(state.passed.length).toBe(Math.min(50, mostOf(owned, weak)));
      }),
      { numRuns: runsOf(1000) },
    );
  });

  test("approval lands under constant unrelated change, and what came later forms the next set", () => {
    const all = items(31);
    let state = settled(passFuse(opened(100), input({ removals: all })).state);
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
    expect(settled(again.state).frozen?.items).toEqual(others);
    const once = passFuse(again.state, input({ removals: all }));
    expect(once.held.size, "an approved removal that failed may be repeated").toBe(0);
  });

  describe.each(["shop", "other"])("after an approved set, in namespace %s", (namespace) => {
    /** Ten passed one after the other, a set of ten was approved; all are gone. */
    function approved(): FuseState {
      const first = items(10, false, "p").map((one) => ({ one }));
      const passed = first.reduce(
        (state, { one }) => passFuse(state, input({ owned: 100, removals: [one] })).state,
        opened(100),
      );
      const tripped = settled(passFuse(passed, input({ owned: 90, removals: items(10) })).state);
      const state = approveFuse(tripped, tripped.frozen?.hash ?? "") ?? newFuse();
      const gone = { owned: 80, planned: { has: () => true } };
      return passFuse(restart(state), input({ ...gone, removals: [] })).state;
    }

    test("single deletions pass for the rest of the hour, and the eleventh trips", () => {
      let state = approved();
      for (const [index, one] of items(11, false, "x", namespace).entries()) {
        const verdict = passFuse(state, input({ owned: 80 - index, removals: [one] }));
        expect(verdict.held.size, one.name).toBe(index < 10 ? 0 : 1);
        state = verdict.state;
      }
    });
  });

  test("the share of a zone is one of what an approved set left of it", () => {
    const all = items(150);
    const tripped = settled(passFuse(opened(300), input({ owned: 300, removals: all })).state);
    const state = approveFuse(tripped, tripped.frozen?.hash ?? "") ?? newFuse();
    const next = (count: number) => input({ owned: 150, removals: items(count, false, "x", "b") });
    expect(passFuse(state, next(15)).held.size).toBe(0);
    expect(passFuse(state, next(16)).held.size).toBe(16);
  });

  test("a next set that is small enough passes once the first is approved", () => {
    let state = settled(passFuse(opened(100), input({ removals: items(31) })).state);
    state = settled(passFuse(state, input({ removals: items(2, false, "x") })).state);
    const approved = approveFuse(state, state.frozen?.hash ?? "");
    const verdict = passFuse(approved ?? newFuse(), input({ removals: items(2, false, "x") }));
    expect(verdict.held.size).toBe(0);
    expect(verdict.state.later).toEqual([]);
  });

  test("what is wanted again leaves the set; its hash stands; an empty set dissolves", () => {
    const all = items(31);
    const tripped = settled(passFuse(opened(100), input({ removals: all })).state);
    const back = settled(passFuse(tripped, input({ planned: new Set([nameOf("n0")]) })).state);
    expect(back.frozen?.items.length).toBe(30);
    expect(back.frozen?.hash).toBe(tripped.frozen?.hash);
    const gone = settled(
      passFuse(back, input({ planned: new Set(all.map((one) => one.name)) })).state,
    );
    expect(gone.frozen).toBeNull();
  });

  test("what ended with its definition holds no other removal, and no end of its own", () => {
    const ended = items(8, "definition");
    const waits = settled(passFuse(opened(100), input({ removals: ended })).state);
    expect(waits.frozen?.items).toHaveLength(8);
    const others = input({ removals: [...ended, ...items(10, false, "x")] });
    expect(passFuse(waits, others).held.size).toBe(8);
    const [first] = items(8);
    const anew = passFuse(
      waits,
      input({ removals: [...ended.slice(1), ...(first ? [first] : [])] }),
    );
    expect([anew.held.size, anew.state.frozen?.items.length]).toEqual([7, 7]);
    const weak = items(8, true);
    expect(passFuse(waits, input({ removals: weak })).held.size, "a restart forgets").toBe(8);
    const growing = passFuse(opened(100), input({ removals: ended.slice(0, 2) })).state;
    expect(passFuse(growing, input({ removals: weak.slice(0, 2) })).held.size).toBe(2);
  });

  test("a changed marker is another item and needs its own approval", () => {
    const all = items(31);
    const tripped = settled(passFuse(opened(100), input({ removals: all })).state);
    const approved = approveFuse(tripped, tripped.frozen?.hash ?? "") ?? newFuse();
    const changed = Array.from({ length: 31 }, (_, index) =>
      item(`n${index}`, false, { marker: "other" }),
    );
    expect(passFuse(approved, input({ removals: changed })).held.size).toBe(31);
  });

  test("an approval ends with the first plan of its name without it", () => {
    const tripped = settled(passFuse(opened(100), input({ removals: items(31) })).state);
    const approved = approveFuse(tripped, tripped.frozen?.hash ?? "") ?? newFuse();
    const gone = settled(passFuse(approved, input({ planned: { has: () => true } })).state);
    expect([approved.approvedRemovals.length, gone.approvedRemovals]).toEqual([31, []]);
    const held = settled(passFuse(newFuse(), input({ updates: items(31) })).state);
    const changed = approveFuse(held, held.heldUpdates?.hash ?? "") ?? newFuse();
    const none = settled(passFuse(changed, input({ planned: { has: () => true } })).state);
    expect([changed.approvedUpdates.length, none.approvedUpdates]).toEqual([31, []]);
  });
});

describe("sets that wait (Z-16)", () => {
  const kinds = (state: FuseState) =>
    heldSets(state).map(({ kind, items: all }) => [kind, all.length]);

  test("the set that tripped, the next one and updates are distinguished, each with its hash", () => {
    const both = input({ removals: items(31), updates: items(31, false, "u") });
    const first = settled(passFuse(newFuse(), both).state);
    const later = settled(passFuse(first, input({ removals: items(4, false, "x") })).state);
    expect(kinds(later)).toEqual([
      ["removals", 31],
      ["next-removals", 4],
      ["updates", 31],
    ]);
    expect(new Set(heldSets(later).map(({ hash }) => hash)).size).toBe(3);
  });

  test("the next set can be approved on its own; the first one waits on", () => {
    const tripped = settled(passFuse(opened(100), input({ removals: items(31) })).state);
    const two = settled(passFuse(tripped, input({ removals: items(4, false, "x") })).state);
    const before = heldSets(two)[1]?.hash ?? "";
    const three = settled(passFuse(two, input({ removals: items(1, false, "y") })).state);
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
    const tripped = settled(passFuse(opened(100), input({ removals: items(31) })).state);
    const again = passFuse(tripped, input({ removals: items(31) }));
    expect(again.state.later).toEqual([]);
    expect([...new Set(again.held.values())]).toEqual([tripped.frozen?.hash]);
  });

  test("what joined the next set and is wanted again leaves it", () => {
    const tripped = settled(passFuse(opened(100), input({ removals: items(31) })).state);
    const [x] = items(1, false, "x");
    if (x === undefined) throw new Error("no item");
    const waiting = settled(passFuse(tripped, input({ removals: [x] })).state);
    expect(passFuse(waiting, input({})).state.later).toEqual([x]);
    expect(passFuse(waiting, input({ planned: new Set([x.name]) })).state.later).toEqual([]);
  });

  test("the zone is sampled once a minute", () => {
    const at = (nowMs: number) => passFuse(opened(100), input({ nowMs })).state.samples.length;
    expect([at(0), at(59_999), at(60_000)]).toEqual([1, 1, 2]);
    const second = settled(passFuse(opened(100), input({ nowMs: 60_000 })).state);
    expect(passFuse(second, input({ nowMs: 119_999 })).state.samples).toEqual(second.samples);
  });

  test.each([
    ["strong", false],
    ["weak", true],
  ])(
    "%s removals that passed never trip by themselves, although the zone is smaller now",
    (_, weak) => {
      const minute = 60_000;
      const [before, after, many] = weak ? [1_000, 900, 10] : [400, 300, 40];
      const watched = passFuse(opened(before), input({ nowMs: 61 * minute, owned: after })).state;
      const late = { nowMs: 61.5 * minute, owned: after, removals: items(many, weak) };
      const passed = passFuse(watched, input(late));
      expect([passed.held.size, passed.state.passed.length]).toEqual([0, many]);
      const later = { nowMs: 121.25 * minute, owned: after - many };
      expect(heldSets(passFuse(passed.state, input(later)).state)).toEqual([]);
      const one = passFuse(passed.state, input({ ...later, removals: items(1, weak, "x") }));
      expect(one.held.size).toBe(1);
    },
  );

  test("the same items to change and to go are two sets with two hashes", () => {
    const all = items(31);
    const both = settled(passFuse(newFuse(), input({ removals: all, updates: all })).state);
    expect(new Set(heldSets(both).map(({ hash }) => hash)).size).toBe(2);
  });
});

describe("an approval is for one kind of change (Z-16)", () => {
  const WEEK_MS = 7 * 86_400_000;
  const all = (weak = false) => items(50, weak);
  const pass = (overrides: Partial<FuseInput>) => input({ owned: 50, version: "v2", ...overrides });
  const seen = settled(passFuse(newFuse(), input({ owned: 50 })).state);

  test("updates that were approved and made are held when all of them are to go later", () => {
    const held = settled(passFuse(seen, pass({ updates: all() })).state);
    const approved = approveFuse(held, held.heldUpdates?.hash ?? "") ?? newFuse();
    const made = passFuse(approved, pass({ nowMs: 1000, updates: all() }));
    expect(made.held.size).toBe(0);
    const later = settled(passFuse(restart(made.state), pass({ nowMs: WEEK_MS })).state);
    const gone = { nowMs: WEEK_MS + 1000, removals: all(true), losesLastName: true };
    expect(passFuse(later, pass(gone)).held.size).toBe(50);
  });

  test("removals that were approved are held where they are updates of another version's first plan", () => {
    const held = settled(passFuse(seen, pass({ removals: all(true) })).state);
    const approved = approveFuse(held, held.frozen?.hash ?? "") ?? newFuse();
    const next = passFuse(approved, pass({ version: "v3", updates: all() }));
    expect(next.held.size).toBe(50);
  });

  test("a set of updates that are to go now is gone, and its hash approves nothing", () => {
    const names = new Set(all().map(({ name }) => name));
    const held = settled(passFuse(seen, pass({ updates: all() })).state);
    const turned = settled(passFuse(held, pass({ planned: names, removals: all(true) })).state);
    expect(heldSets(turned).map(({ kind }) => kind)).toEqual(["removals"]);
    expect(approveFuse(turned, held.heldUpdates?.hash ?? "")).toBeNull();
    const back = passFuse(turned, pass({ planned: names, updates: all(), isFirstPlan: false }));
    expect([heldSets(back.state), back.held.size]).toEqual([[], 0]);
  });
});

describe("Z-23 counters that are lost", () => {
  const lost = (owned: number) =>
    passFuse({ ...newFuse(), met: null }, input({ owned, wasMet: true })).state;
  const deleted = (state: FuseState, nowMs = 1) =>
    passFuse(restart(state), input({ nowMs, removals: items(8) }));

  test("where the zone has records of ours, every proof is weak for an hour", () => {
    expect(deleted(lost(100)).held.size).toBe(8);
    expect(deleted(lost(100), FUSE_WINDOW_MS - 1).held.size).toBe(8);
    expect(deleted(lost(100), FUSE_WINDOW_MS).held.size).toBe(0);
    const three = input({ removals: items(3) });
    expect(passFuse(lost(100), three).held.size).toBe(0);
  });

  test("what was never counted is not: watched removals of previews", () => {
    const previews = input({ removals: items(8), isEphemeral: () => true });
    expect(passFuse(lost(100), previews).held.size).toBe(0);
  });

  test("a new zone lost none", () => {
    expect(deleted(lost(0)).held.size).toBe(0);
  });
});

describe("what makes an item and what an approval adds to", () => {
  test("a new fuse has seen nothing and waits for nothing", () => {
    expect(newFuse()).toEqual({
      ...{ samples: [], passed: [], frozen: null, later: [] },
      ...{ bases: {}, joinedMs: 0, heldRemovals: null, met: true },
      ...{ approvedRemovals: [], approvedUpdates: [], version: null, heldUpdates: null },
      ...{ trial: null, bornMs: null },
    });
  });

  test("two set identifiers of one key are two items", () => {
    const key = { name: nameOf("www"), type: "A" };
    const [a, b] = ["a", "b"].map((setIdentifier) =>
      fuseItem({ key: { ...key, setIdentifier }, marker: "m", namespace: "shop", proof: "weak" }),
    );
    expect(a?.id).not.toBe(b?.id);
  });

  test("a second approval leaves the first one as it is", () => {
    const [first, second] = [items(31), items(31, false, "later")];
    const one = settled(passFuse(opened(100), input({ removals: first })).state);
    const two = settled(passFuse(one, input({ removals: [...first, ...second] })).state);
    const sets = heldSets(two).map(({ hash }) => hash);
    const approved = sets.reduce((state, hash) => approveFuse(state, hash) ?? state, two);
    expect(approved.approvedRemovals).toHaveLength(62);
    const all = passFuse(approved, input({ removals: [...first, ...second] }));
    expect(all.held.size).toBe(0);
  });
});
