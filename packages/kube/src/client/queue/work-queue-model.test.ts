/**
 * The work queue against a plain model, with workers that wait, failures, delays and both ways to
 * stop: who gets which key, when at the earliest, and that nothing that was promised is lost or
 * done twice at once.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryMetrics, SeededRandom } from "../../../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../../../test/support/ports/virtual-clock.ts";
import { type Lane, WorkQueue } from "./work-queue.ts";

const KEYS = ["a", "b", "c", "d", "e"] as const;
const LANES: readonly Lane[] = ["edit", "bulk", "report"];
const [BULK_SHARE, REPORT_SHARE] = [8, 64];

type Step =
  | { readonly do: "add"; readonly key: string; readonly lane: Lane }
  | { readonly do: "later"; readonly key: string; readonly ms: number }
  | { readonly do: "fail" | "forget"; readonly key: string }
  | { readonly do: "take" | "done" }
  | { readonly do: "wait"; readonly ms: number };

const key = fc.constantFrom(...KEYS);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("add" as const), key, lane: fc.constantFrom(...LANES) }),
  fc.record({ do: fc.constant("later" as const), key, ms: fc.integer({ min: -5, max: 3_000 }) }),
  fc.record({ do: fc.constantFrom("fail" as const, "forget" as const), key }),
  fc.record({ do: fc.constantFrom("take" as const, "done" as const) }),
  fc.record({ do: fc.constantFrom("take" as const, "done" as const) }),
  fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(1, 500, 1_500, 5_000) }),
);

/** A queue, its workers, and the keys that they may get by the model. */
class Trial {
  readonly clock = new VirtualClock();
  readonly queue = new WorkQueue({
    name: "q",
    clock: this.clock,
    random: new SeededRandom(9),
    metrics: new MemoryMetrics(),
  });
  readonly waiting = new Map<string, Lane>();
  readonly due = new Map<string, number>();
  readonly failures = new Map<string, number>();
  readonly running: string[] = [];
  /** Workers that wait for a key. */
  idle = 0;
  /** Keys that workers got and the model does not know yet. */
  readonly #got: string[] = [];
  #takes = 0;

  /** Delays that have passed become bulk; then what workers got is compared. */
  async settle(): Promise<void> {
    await this.clock.settle();
    for (const [late, dueMs] of this.due) {
      if (dueMs > this.clock.monotonicMs()) continue;
      this.due.delete(late);
      this.add(late, "bulk");
    }
    this.#compare();
    const takable = [...this.waiting.keys()].filter((each) => !this.running.includes(each));
    if (this.idle > 0) expect(takable).toEqual([]);
    expect(this.queue.depth).toBe(this.waiting.size);
    for (const each of KEYS) expect(this.queue.failuresOf(each)).toBe(this.failures.get(each) ?? 0);
  }

  add(added: string, lane: Lane): void {
    const before = this.waiting.get(added);
    if (before === undefined || LANES.indexOf(lane) < LANES.indexOf(before))
      this.waiting.set(added, lane);
  }

  later(delayed: string, ms: number): void {
    if (ms <= 0) this.add(delayed, "bulk");
    else {
      const dueMs = this.clock.monotonicMs() + ms;
      this.due.set(delayed, Math.min(this.due.get(delayed) ?? dueMs, dueMs));
    }
  }

  async take(): Promise<void> {
    this.#takes += 1;
    const takable = [...this.waiting].filter(([each]) => !this.running.includes(each));
    const inLane = LANES.map((lane) => takable.filter(([, one]) => one === lane));
    const [edits = [], bulk = [], reports = []] = inLane;
    const first = this.#takes % BULK_SHARE === 0 ? bulk : [];
    const turns = [this.#takes % REPORT_SHARE === 0 ? reports : first, edits, bulk, reports];
    const allowed = (turns.find((some) => some.length > 0) ?? []).map(([each]) => each);
    this.idle += 1;
    void this.queue.take().then((got) => {
      this.idle -= 1;
      if (got !== null) this.#got.push(got);
    });
    await this.clock.settle();
    if (allowed.length > 0) expect(allowed).toContain(this.#got.at(-1));
    this.#compare();
  }

  #compare(): void {
    for (const got of this.#got.splice(0)) {
      expect([...this.waiting.keys()]).toContain(got);
      expect(this.running).not.toContain(got);
      this.waiting.delete(got);
      this.running.push(got);
    }
  }

  done(): void {
    const finished = this.running.shift();
    if (finished !== undefined) this.queue.done(finished);
  }

  async run(one: Step): Promise<void> {
    if (one.do === "add") {
      this.queue.add(one.key, one.lane);
      this.add(one.key, one.lane);
    } else if (one.do === "later") {
      this.queue.addAfter(one.key, one.ms);
      this.later(one.key, one.ms);
    } else if (one.do === "fail") this.fail(one.key);
    else if (one.do === "forget") {
      this.queue.forget(one.key);
      this.failures.delete(one.key);
    } else if (one.do === "take") await this.take();
    else if (one.do === "done") this.done();
    else if (one.do === "wait") await this.clock.advance(one.ms);
    await this.settle();
  }

  fail(failed: string): void {
    const count = (this.failures.get(failed) ?? 0) + 1;
    this.failures.set(failed, count);
    const delayMs = this.queue.addRateLimited(failed);
    const least = Math.min(1_000 * 2 ** (count - 1), 600_000);
    expect(delayMs).toBeGreaterThanOrEqual(least);
    expect(delayMs).toBeLessThanOrEqual(Math.min(least * 1.5, 600_000));
    this.later(failed, delayMs);
  }
}

test.each([true, false])("any history, then a stop with drain %s", async (drain) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      const trial = new Trial();
      for (const one of steps) await trial.run(one);
      let isOver = false;
      void trial.queue.shutDown({ drain }).then(() => {
        isOver = true;
      });
      if (!drain) trial.waiting.clear();
      trial.due.clear();
      trial.queue.add("a");
      trial.queue.addAfter("b", 1);
      await trial.clock.advance(1_000_000);
      for (let round = 0; trial.waiting.size + trial.running.length > 0; round++) {
        expect([round < 100, isOver]).toEqual([true, false]);
        if (trial.waiting.size > 0) await trial.take();
        trial.done();
        await trial.clock.settle();
      }
      await trial.clock.settle();
      expect([isOver, trial.idle, await trial.queue.take()]).toEqual([true, 0, null]);
      expect([trial.queue.isIdle, trial.clock.pendingTimers]).toEqual([true, 0]);
    }),
    { numRuns: 200 },
  );
});
