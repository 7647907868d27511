import { describe, expect, test } from "vitest";
import { expectWithinRate } from "../../../test/support/ports/rate-window.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import type { RateLimit } from "../../providers/provider.ts";
import { AccountBudget, type AccountRate } from "./account-budget.ts";

const RATE = { burst: 5, perSecond: 5 };

/** Zones that read or write one call after the other, and when each call was made. */
function fixture(rate: typeof RATE | null = RATE) {
  const clock = new VirtualClock();
  const budget = new AccountBudget(clock, rate);
  const calls: { readonly who: string; readonly atMs: number }[] = [];
  const work = async (who: string, kind: "read" | "write", times: number): Promise<void> => {
    for (let call = 0; call < times; call++) {
      await (kind === "read" ? budget.read() : budget.write());
      calls.push({ who, atMs: clock.monotonicMs() });
    }
  };
  const of = (...who: readonly string[]) =>
    calls.filter((call) => who.includes(call.who)).map(({ atMs }) => atMs);
  return { clock, budget, calls, work, of };
}

describe("Z-20 the budget of an account", () => {
  test("S20: no window has more calls than the rate allows, reads have a quarter of it", async () => {
    const { clock, work, calls, of } = fixture();
    for (const zone of ["a", "b", "c"]) {
      void work(`${zone} writes`, "write", 40);
      void work(`${zone} reads`, "read", 20);
    }
    await clock.advance(60_000);
    expect(calls).toHaveLength(180);
    expectWithinRate(
      calls.map(({ atMs }) => atMs),
      RATE,
    );
    expectWithinRate(of("a reads", "b reads", "c reads"), { burst: 1.25, perSecond: 1.25 });
  });

  test("L8: zones take turns, and neither writes nor reads wait for ever", async () => {
    const { clock, work, of } = fixture();
    for (const zone of ["a", "b"]) void work(zone, "write", 1000);
    void work("reader", "read", 1000);
    await clock.advance(60_000);
    const [a, b, reads] = [of("a"), of("b"), of("reader")].map((times) => times.length);
    expect(Math.abs((a ?? 0) - (b ?? 0))).toBeLessThanOrEqual(1);
    expect(reads).toBeGreaterThanOrEqual(70);
    expect((a ?? 0) + (b ?? 0)).toBeGreaterThanOrEqual(225);
  });

  test("a write goes before reads that wait", async () => {
    const { clock, work, calls } = fixture({ burst: 1, perSecond: 1 });
    void work("first", "read", 1);
    void work("reader", "read", 10);
    await clock.advance(100);
    void work("writer", "write", 1);
    await clock.advance(30_000);
    expect(calls[1]?.who).toBe("writer");
  });

  test("without a rate everything goes at once", async () => {
    const { clock, budget, work, calls } = fixture(null);
    void work("a", "write", 1000);
    await clock.advance(1);
    expect(calls).toHaveLength(1000);
    budget.loaded("a", 500);
    expect([budget.reloadMs(), budget.pollMs()]).toEqual([0, 0]);
  });

  test("the use of a budget: what the tightest limit has left, and refusals in a row", async () => {
    const clock = new VirtualClock();
    const rate = { perSecond: 1, burst: 4 };
    const limit = { scope: "zone", counts: "writes", burst: 2, perSecond: 0.1 } as const;
    const budget = new AccountBudget(clock, rate, [limit]);
    const [a, b] = [budget.of("a"), budget.of("b")];
    expect(a.use()).toEqual({ usedRatio: 0, refusedMs: 0 });
    await a.write();
    expect([a.use().usedRatio, b.use().usedRatio]).toEqual([0.5, 0.25]);
    await clock.advance(1_000);
    expect(b.use().usedRatio).toBe(0);
    budget.slowDown(null);
    await clock.advance(1_500);
    budget.slowDown(null);
    await clock.advance(2_500);
    expect(a.use().refusedMs).toBe(4_000);
    await clock.advance(2_000);
    expect(a.use().refusedMs).toBe(0);
  });

  test("the shortest reload interval is all pages of the account by the reads' share", () => {
    const { budget } = fixture();
    budget.loaded("a", 100);
    budget.loaded("b", 400);
    expect(budget.reloadMs()).toBe(400_000);
    budget.loaded("a", 350);
    expect(budget.reloadMs()).toBe(600_000);
    expect(budget.pollMs()).toBe(3_200);
    budget.forget("b");
    expect(budget.reloadMs()).toBe(280_000);
  });
});

describe("Z-20 limits besides the rate", () => {
  /** Calls as `zone kind changes`, each made as soon as the budget lets it, and when that was. */
  async function times(
    limits: readonly RateLimit[],
    asked: readonly string[],
    rate: AccountRate = null,
  ): Promise<Readonly<Record<string, readonly number[]>>> {
    const clock = new VirtualClock();
    const budget = new AccountBudget(clock, rate, limits);
    const made: Record<string, number[]> = {};
    for (const call of asked) {
      const [zone = "", kind, changes] = call.split(" ");
      const own = budget.of(zone);
      const turn = kind === "read" ? own.read() : own.write(Number(changes ?? 1));
      void turn.then(() => {
        made[zone] = [...(made[zone] ?? []), clock.monotonicMs()];
      });
    }
    await clock.advance(60_000);
    return made;
  }

  test("a limit of each zone keeps no other zone waiting", async () => {
    const limit = { scope: "zone", counts: "writes", burst: 1, perSecond: 1 } as const;
    const asked = ["a write", "a write", "a write", "b write", "a read"];
    expect(await times([limit], asked)).toEqual({ a: [0, 0, 1000, 2000], b: [0] });
  });

  test("reads, writes and calls are counted apart, and together", async () => {
    const reads = { scope: "account", counts: "reads", burst: 1, perSecond: 1 } as const;
    const calls = { scope: "account", counts: "calls", burst: 2, perSecond: 2 } as const;
    const asked = ["r read", "r read", "w write", "w write"];
    expect(await times([reads], asked)).toEqual({ r: [0, 1000], w: [0, 0] });
    expect(await times([reads, calls], asked)).toEqual({ r: [0, 1000], w: [0, 500] });
  });

  test("changes are counted one by one, and more than the burst go when all of it is there", async () => {
    const limit = { scope: "account", counts: "changes", burst: 10, perSecond: 10 } as const;
    const asked = ["a write 8", "b write 25", "c write 1"];
    expect(await times([limit], asked)).toEqual({ a: [0], b: [800], c: [2400] });
  });

  test("zones are reloaded no sooner than their own reads allow", () => {
    const limit = { scope: "zone", counts: "reads", burst: 1, perSecond: 1 } as const;
    const budget = new AccountBudget(new VirtualClock(), null, [limit]);
    for (const zone of ["a", "b"]) budget.loaded(zone, 60);
    expect([budget.reloadMs(), budget.pollMs()]).toEqual([60_000, 2_000]);
  });
});

describe("Z-20 a provider that has had too many calls", () => {
  test("gets none of the whole account for as long as it says", async () => {
    const { clock, budget, work, of } = fixture(null);
    budget.slowDown(7_000);
    void work("writer", "write", 1);
    void work("reader", "read", 1);
    await clock.advance(6_999);
    expect(of("writer", "reader")).toEqual([]);
    await clock.advance(1);
    expect(of("writer", "reader")).toHaveLength(2);
  });

  test("gets the next call after 1, 2, 4 … seconds where it names no time", async () => {
    const { clock, budget } = fixture(null);
    const waits: number[] = [];
    for (let refusal = 0; refusal < 8; refusal++) {
      const fromMs = clock.monotonicMs();
      budget.slowDown(null);
      budget.slowDown(null);
      const made = budget.write().then(() => waits.push(clock.monotonicMs() - fromMs));
      await clock.advance(0);
      for (let step = 0; waits.length === refusal && step < 61; step++) await clock.advance(1_000);
      await made;
    }
    expect(waits.map((ms) => ms / 1_000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test("is asked at its rate again once it has answered for a while", async () => {
    const { clock, budget, work, of } = fixture(null);
    budget.slowDown(null);
    await clock.advance(10_000);
    budget.slowDown(null);
    void work("writer", "write", 1);
    await clock.advance(1_000);
    expect(of("writer")).toHaveLength(1);
  });
});
