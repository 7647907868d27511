import { OperationError } from "@zonekeeper/base/operation-error";
import { describe, expect, test } from "vitest";
import { MemoryLog, MemoryMetrics } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { MapState, memoryFuse } from "../../../test/support/values/fuse.ts";
import { removal } from "../../../test/support/worlds/removal-plan.ts";
import { FUSE_LIMITS } from "../../model/fuse-limits.ts";
import type { NamePlan } from "../../plan/changes.ts";
import { FREEZE_AFTER_MS, FUSE_WINDOW_MS } from "../../plan/fuse.ts";
import type { StateStore } from "../../ports/stores.ts";
import { type FuseGuard, STATE_RETRY_MS } from "./fuse-guard.ts";

function open(state: StateStore, strong = FUSE_LIMITS.strong, more: object = {}): FuseGuard {
  const limits = { ...FUSE_LIMITS, strong };
  return memoryFuse({ state, clock: new VirtualClock(), limits, ...more });
}

const zone = { owned: 10, ownedNames: 10, ownedAt: () => 1, ownedIn: () => 1, wasMet: true };
const plans = [1, 2, 3, 4, 5].map(removal);
const sent = (admitted: readonly NamePlan[]): number =>
  admitted.filter((plan) => plan.changes.length > 0).length;

describe("Z-16 the fuse of a zone", () => {
  test("holds a removal that is too large, with a hash to approve", async () => {
    const guard = open(new MapState());
    const admitted = await guard.admit(plans, zone);
    expect(sent(admitted)).toBe(0);
    expect(admitted[0]?.holds[0]).toMatchObject({ code: "FuseTripped" });
  });

  test("what is held hears of the hash that stays, 10 s after the last of it came", async () => {
    const clock = new VirtualClock();
    let releases = 0;
    const onReleased = () => {
      releases += 1;
    };
    const state = new MapState();
    const guard = open(state, undefined, { clock, onReleased });
    await guard.admit(plans.slice(0, 4), zone);
    await clock.advance(FREEZE_AFTER_MS - 1);
    await guard.admit([removal(5)], zone);
    await clock.advance(FREEZE_AFTER_MS - 1);
    expect(releases).toBe(0);
    await clock.advance(1);
    expect(releases).toBe(1);
    const [set] = guard.heldSets();
    expect(set).toMatchObject({ kind: "removals", removals: plans.length });
    expect(state.texts.get("fuse/me/zone")).toContain(`"frozen":{"hash":"${set?.hash}"`);
    const [later] = await guard.admit([removal(9)], zone);
    expect(later?.holds[0]?.message).toContain("earlier set");
    guard.close();
  });

  test("the log has one line when a set begins, when its hash stays, and when it is approved", async () => {
    const [clock, log] = [new VirtualClock(), new MemoryLog()];
    const logged = () =>
      log.lines.splice(0).map(({ message, fields }) => {
        const { changes = "", isComplete = "" } = fields;
        return `${message} ${changes} ${isComplete}`.trim();
      });
    const guard = open(new MapState(), undefined, { clock, log });
    await guard.admit(plans.slice(0, 4), zone);
    expect(logged()).toEqual(["changes are held until a person approves them 4 false"]);
    await guard.admit([removal(5)], zone);
    expect(logged()).toEqual([]);
    await clock.advance(FREEZE_AFTER_MS);
    const [set] = guard.heldSets();
    expect(log.lines[0]?.fields["approve"]).toBe(`zonekeeper approve ${set?.hash}`);
    expect(logged()).toEqual(["changes are held until a person approves them 5 true"]);
    await guard.approve(set?.hash ?? "");
    expect(logged()).toEqual(["no change is held any more", "held set approved by a person"]);
    guard.close();
  });

  test("a set that grew says which hashes it had, until it is approved", async () => {
    const guard = open(new MapState(), undefined, { clock: new VirtualClock() });
    await guard.admit(plans.slice(0, 4), zone);
    const [first] = guard.heldSets();
    expect(first?.formerHashes).toBeUndefined();
    await guard.admit([removal(5)], zone);
    const [grown] = guard.heldSets();
    expect(grown?.hash).not.toBe(first?.hash);
    expect(grown?.formerHashes).toEqual([first?.hash]);
    await guard.approve(grown?.hash ?? "");
    expect(guard.heldSets()).toEqual([]);
    guard.close();
  });

  test("slices and restarts do not get round it", async () => {
    const state = new MapState();
    let passed = 0;
    for (const plan of plans) passed += sent(await open(state).admit([plan], zone));
    expect(passed).toBe(3);
  });

  test("a wall clock that jumps ends no hour", async () => {
    const clock = new VirtualClock();
    const guard = open(new MapState(), undefined, { clock });
    expect(sent(await guard.admit(plans.slice(0, 3), zone))).toBe(3);
    clock.jumpWallMs(2 * FUSE_WINDOW_MS);
    expect(sent(await guard.admit([removal(4)], zone))).toBe(0);
  });

  test("lets the set pass once its hash is approved, and no other hash", async () => {
    const guard = open(new MapState());
    const [first] = await guard.admit(plans, zone);
    const hash = /zonekeeper approve (\S+)/.exec(first?.holds[0]?.message ?? "")?.[1] ?? "";
    expect(await guard.approve("0000000000000000")).toBe(false);
    expect(await guard.approve(hash)).toBe(true);
    expect(sent(await guard.admit(plans, zone))).toBe(plans.length);
  });

  test("an approval is not lost while a removal is being written down", async () => {
    const state = new MapState();
    const guard = open(state);
    const [first] = await guard.admit(plans, zone);
    const hash = /zonekeeper approve (\S+)/.exec(first?.holds[0]?.message ?? "")?.[1] ?? "";
    const [approved] = await Promise.all([
      guard.approve(hash),
      guard.admit([removal(9)], {
        owned: 11,
        ownedNames: 11,
        ownedAt: () => 1,
        ownedIn: () => 1,
        wasMet: true,
      }),
    ]);
    expect(approved).toBe(true);
    expect(sent(await guard.admit(plans, zone))).toBe(plans.length);
  });

  test("an approval stored by a version that did not say of what is none; all else is read", async () => {
    const state = new MapState();
    const guard = open(state);
    const [first] = await guard.admit(plans, zone);
    const hash = /zonekeeper approve (\S+)/.exec(first?.holds[0]?.message ?? "")?.[1] ?? "";
    const before = state.texts.get("fuse/me/zone") ?? "";
    const held = JSON.parse(before);
    const { approvedRemovals: _, approvedUpdates: __, ...older } = held;
    const stored = { ...older, later: [], approved: held.later };
    state.texts.set("fuse/me/zone", JSON.stringify(stored));
    const admitted = await open(state).admit(plans, zone);
    expect(sent(admitted)).toBe(0);
    expect(admitted[0]?.holds[0]?.message).toContain(hash);
    expect(state.texts.get("fuse/me/zone")).toBe(before);
    state.texts.set("fuse/me/zone", JSON.stringify({ ...older, approved: [] }));
    expect(await open(state).approve(hash)).toBe(true);
  });

  test.each(["null", "[]", '"x"', '{"passed":null}', "{"])(
    "counters that are stored as %s are none, and nothing is removed",
    async (text) => {
      const state = new MapState();
      state.texts.set("fuse/me/zone", text);
      const [held] = await open(state).admit([removal(1)], zone);
      expect(held?.holds[0]).toMatchObject({ code: "FuseBlind" });
    },
  );

  test("a higher floor for removals with their own DELETED event leaves the others alone", async () => {
    const strong = Array.from({ length: 12 }, (_, index) => removal(index)).map((plan) => ({
      ...plan,
      changes: plan.changes.map((one) => ({ ...one, proof: "deleted-object" as const })),
    }));
    const counts = { owned: 20, ownedNames: 20, ownedAt: () => 1, ownedIn: () => 1, wasMet: true };
    const begun = async (most?: number) => {
      const guard = open(new MapState(), most);
      await guard.admit([], { ...counts, owned: 0, ownedNames: 0 });
      return guard;
    };
    expect(sent(await (await begun()).admit(strong, counts))).toBe(0);
    expect(sent(await (await begun(100)).admit(strong, counts))).toBe(strong.length);
    expect(sent(await (await begun(100)).admit(plans, zone))).toBe(0);
  });

  test("a frozen removal is forgotten once its name is as wanted, though nobody plans it any more", async () => {
    const state = new MapState();
    await open(state).admit(plans, zone);
    const frozen = (): string => state.texts.get("fuse/me/zone") ?? "";
    await open(state).admit([], zone);
    expect(frozen()).toContain("n1.example.org");
    await open(state).admit([], { ...zone, isAsWanted: (name) => name === "n1.example.org" });
    expect(frozen()).not.toContain("n1.example.org");
    expect(frozen()).toContain("n2.example.org");
  });

  test("a store that is broken in a way that nobody expects is a bug", async () => {
    const state = new MapState();
    state.down = true;
    await expect(open(state).admit([removal(1)], zone)).rejects.toThrow("the store is down");
  });
});

describe("Z-16 a fuse that cannot read or store its counters", () => {
  const unreachable = new OperationError({
    code: "Forbidden",
    message: "configmaps is forbidden",
    retry: "backoff",
  });

  /** A store that fails on command. */
  class FailingState extends MapState {
    failing: "read" | "write" | null = null;

    override async read(key: string): Promise<string | null> {
      if (this.failing === "read") throw unreachable;
      return super.read(key);
    }

    override async write(key: string, value: string): Promise<void> {
      if (this.failing === "write") throw unreachable;
      await super.write(key, value);
    }
  }

  const creation = (index: number): NamePlan => {
    const plan = removal(index);
    const changes = plan.changes.flatMap((one) =>
      one.change?.op === "remove"
        ? [{ ...one, change: { op: "create" as const, next: one.change.previous }, proof: null }]
        : [],
    );
    return { ...plan, changes };
  };

  test.each(["read", "write"] as const)(
    "removes nothing and goes on with everything else while it cannot %s",
    async (failing) => {
      const state = new FailingState();
      state.failing = failing;
      const admitted = await open(state).admit([removal(1), creation(2)], zone);
      expect(admitted.map((plan) => plan.changes.length)).toEqual([0, 1]);
      expect(admitted[0]?.holds[0]).toMatchObject({ code: "FuseBlind" });
      expect(admitted[0]?.holds[0]?.message).toContain("configmaps is forbidden");
    },
  );

  test("looks again by itself, says so, and counts on from what was stored", async () => {
    const state = new FailingState();
    const clock = new VirtualClock();
    const metrics = new MemoryMetrics();
    await open(state).admit([removal(1), removal(2)], zone);
    state.failing = "read";
    let readable = 0;
    const onReleased = (): void => {
      readable += 1;
    };
    const guard = open(state, undefined, { clock, metrics, onReleased });
    expect(sent(await guard.admit([removal(3), removal(4)], zone))).toBe(0);
    expect(metrics.value("zonekeeper_fuse_blind", { zone: "example.org" })).toBe(1);
    await clock.advance(2 * STATE_RETRY_MS);
    state.failing = null;
    expect(readable).toBe(0);
    await clock.advance(STATE_RETRY_MS);
    expect(readable).toBe(1);
    expect(metrics.value("zonekeeper_fuse_blind", { zone: "example.org" })).toBe(0);
    // Two of at most three passed before; these two are one too many.
    expect(sent(await guard.admit([removal(3), removal(4)], zone))).toBe(0);
    guard.close();
  });

  test("counters that make no sense are not counters of zero", async () => {
    const state = new MapState();
    state.texts.set("fuse/me/zone", "{broken");
    const [plan] = await open(state).admit([removal(1)], zone);
    expect(plan?.holds[0]?.message).toContain("not readable");
  });

  test("does not look any more once it is closed", async () => {
    const state = new FailingState();
    state.failing = "read";
    const clock = new VirtualClock();
    const onReleased = (): never => {
      throw new Error("closed");
    };
    const guard = open(state, undefined, { clock, onReleased });
    await guard.admit([removal(1)], zone);
    guard.close();
    state.failing = null;
    await clock.advance(10 * STATE_RETRY_MS);
  });
});
