/** What becomes of a key after each sort of outcome. */
import { OperationError } from "@zonekeeper/base/operation-error";
import { sleep } from "@zonekeeper/base/ports/clock";
import { expect, test } from "vitest";
import {
  MemoryLog,
  MemoryMetrics,
  SeededRandom,
} from "../../../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../../../test/support/ports/virtual-clock.ts";
import { Reconciler, type ReconcilerOptions } from "./reconciler.ts";

function setUp(
  reconcile: ReconcilerOptions["reconcile"],
  options: Partial<ReconcilerOptions> = {},
) {
  const clock = new VirtualClock();
  const log = new MemoryLog();
  const metrics = new MemoryMetrics();
  const ports = { clock, log, metrics, random: new SeededRandom(5) };
  const runs: string[] = [];
  const reconciler = new Reconciler(
    {
      name: "test",
      reconcile: (key) => {
        runs.push(`${key}@${Math.round(clock.monotonicMs())}`);
        return reconcile(key);
      },
      ...options,
    },
    ports,
  );
  return { clock, log, metrics, runs, reconciler };
}

const failure = (retry: "backoff" | "after" | "never", retryAfterMs?: number): OperationError =>
  new OperationError({
    code: "Test",
    message: "failed",
    retry,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

test("a success runs once", async () => {
  const { clock, runs, reconciler, metrics } = setUp(async () => {});
  reconciler.add("a");
  await clock.advance(3_600_000);
  expect(runs).toEqual(["a@0"]);
  const labels = { controller: "test", result: "success" };
  expect(metrics.value("controller_runtime_reconcile_total", labels)).toBe(1);
  expect(reconciler.isIdle).toBe(true);
});

test("an edit that comes while a worker makes way is the next one", async () => {
  const [runs, clock]: [string[], VirtualClock] = [[], new VirtualClock()];
  const yieldNow = async (): Promise<void> => {
    if (runs.length === 1) reconciler.add("edit");
  };
  const slow = Object.assign(clock, { yieldNow, monotonicMs: () => runs.length * 10 });
  const reconcile = async (key: string): Promise<void> => void runs.push(key);
  const ports = { clock: slow, log: new MemoryLog(), metrics: new MemoryMetrics() };
  const options = { name: "test", workers: 1, reconcile };
  const reconciler = new Reconciler(options, { ...ports, random: new SeededRandom(5) });
  for (const key of ["a", "b"]) reconciler.add(key, "bulk");
  await clock.settle();
  expect(runs).toEqual(["a", "edit", "b"]);
});

test("backoff: growing delays, and a success forgets them", async () => {
  let left = 4;
  const { clock, runs, reconciler } = setUp(async () => {
    if (left-- > 0) throw failure("backoff");
  });
  reconciler.add("a");
  await clock.advance(60_000);
  const times = runs.map((run) => Number(run.slice(2)));
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  expect(gaps).toHaveLength(4);
  for (const [i, gap] of gaps.entries()) expect(gap).toBeGreaterThanOrEqual(999 * 2 ** i);
  left = 1;
  reconciler.add("a");
  await clock.advance(1_600);
  expect(runs).toHaveLength(7);
});

test("after: not before", async () => {
  let left = 1;
  const { clock, runs, reconciler } = setUp(async () => {
    if (left-- > 0) throw failure("after", 42_000);
  });
  reconciler.add("a");
  await clock.advance(100_000);
  expect(runs).toEqual(["a@0", "a@42000"]);
});

test("never: not until it is added again", async () => {
  const { clock, runs, reconciler, metrics } = setUp(async () => {
    throw failure("never");
  });
  reconciler.add("a");
  await clock.advance(3_600_000);
  expect(runs).toHaveLength(1);
  reconciler.add("a");
  await clock.settle();
  expect(runs).toHaveLength(2);
  const labels = { controller: "test" };
  expect(metrics.value("controller_runtime_terminal_reconcile_errors_total", labels)).toBe(2);
});

test("an unexpected error is one key's: logged as an error, repeated, others go on", async () => {
  const { clock, runs, reconciler, log } = setUp(async (key) => {
    if (key === "bad") throw new TypeError("undefined is not a function");
  });
  reconciler.add("bad");
  reconciler.add("good");
  await clock.advance(2_000);
  expect(runs.filter((run) => run.startsWith("bad"))).toHaveLength(2);
  expect(runs).toContain("good@0");
  expect(log.lines.filter((line) => line.level === "error")).toHaveLength(2);
});

test("at most so many at once, and never one key twice", async () => {
  const active = new Set<string>();
  let most = 0;
  const { clock, reconciler, runs } = setUp(
    async (key) => {
      expect(active.has(key)).toBe(false);
      active.add(key);
      most = Math.max(most, active.size);
      await sleep(clock, 100);
      active.delete(key);
    },
    { workers: 3 },
  );
  for (let i = 0; i < 10; i++) reconciler.add(`k${i}`);
  await clock.advance(50);
  for (let i = 0; i < 10; i++) reconciler.add(`k${i}`);
  await clock.advance(10_000);
  expect([most, runs.length]).toEqual([3, 13]);
});

test("stop starts nothing more, and resolves when what runs has ended", async () => {
  const { clock, runs, reconciler } = setUp(() => sleep(clock, 60_000), { workers: 1 });
  reconciler.add("a");
  reconciler.add("b");
  await clock.settle();
  let stopped = false;
  void reconciler.stop().then(() => {
    stopped = true;
  });
  await clock.advance(59_000);
  expect(stopped).toBe(false);
  await clock.advance(1_000);
  expect([stopped, runs, clock.pendingTimers]).toEqual([true, ["a@0"], 0]);
});

test("metrics say what runs now, and for how long, until it stops", async () => {
  const { clock, metrics, reconciler } = setUp(() => sleep(clock, 60_000), { workers: 1 });
  const labels = { name: "test" };
  const figures = () => [
    metrics.value("controller_runtime_active_workers", { controller: "test" }),
    metrics.value("workqueue_depth", labels),
    metrics.value("workqueue_longest_running_processor_seconds", labels),
  ];
  reconciler.add("a");
  reconciler.add("b");
  await clock.advance(10_000);
  expect(figures()).toEqual([1, 1, 10]);
  await clock.advance(20_000);
  expect(figures()).toEqual([1, 1, 30]);
  void reconciler.stop();
  await clock.advance(60_000);
  expect(figures()).toEqual([0, 0, 0]);
});
