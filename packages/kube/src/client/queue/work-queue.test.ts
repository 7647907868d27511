/**
 * The contract of the work queue, by cases; work-queue-model.test.ts holds any history against a
 * plain model.
 */
import { expect, test } from "vitest";
import { MemoryMetrics, SeededRandom } from "../../../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../../../test/support/ports/virtual-clock.ts";
import { WorkQueue } from "./work-queue.ts";

function setUp() {
  const clock = new VirtualClock();
  const metrics = new MemoryMetrics();
  const queue = new WorkQueue({ name: "q", clock, random: new SeededRandom(3), metrics });
  return { clock, metrics, queue };
}

test("a key waits at most once, in the order of adding", async () => {
  const { queue, metrics } = setUp();
  for (const key of ["a", "b", "a", "c", "b"]) queue.add(key);
  expect([await queue.take(), await queue.take(), await queue.take()]).toEqual(["a", "b", "c"]);
  expect(metrics.value("workqueue_adds_total", { name: "q" })).toBe(3);
});

test("a key that is added while it is worked on runs once more, and not before done", async () => {
  const { queue, clock } = setUp();
  queue.add("a");
  await queue.take();
  queue.add("a");
  queue.add("a");
  const next = queue.take();
  let got: string | null = "nothing yet";
  void next.then((key) => {
    got = key;
  });
  await clock.settle();
  expect(got).toBe("nothing yet");
  queue.done("a");
  expect(await next).toBe("a");
  queue.done("a");
  expect(queue.isIdle).toBe(true);
});

test("a key that is worked on is not given to a worker that waits already", async () => {
  const { queue, clock } = setUp();
  const got: (string | null)[] = [];
  for (let worker = 0; worker < 2; worker++) void queue.take().then((key) => got.push(key));
  queue.add("a");
  queue.add("a");
  await clock.settle();
  expect([got, queue.depth]).toEqual([["a"], 1]);
  queue.done("a");
  await clock.settle();
  expect([got, queue.depth]).toEqual([["a", "a"], 0]);
});

test("edits overtake the bulk, which still gets its share", async () => {
  const { queue } = setUp();
  for (let i = 0; i < 100; i++) queue.add(`bulk${i}`, "bulk");
  for (let i = 0; i < 100; i++) queue.add(`edit${i}`, "edit");
  const first: (string | null)[] = [];
  for (let i = 0; i < 16; i++) first.push(await queue.take());
  expect(first.filter((key) => key?.startsWith("bulk"))).toEqual(["bulk0", "bulk1"]);
  for (let i = 0; i < 184; i++) await queue.take();
  expect(queue.depth).toBe(0);
});

test("reports come when nothing else waits, but for a small share", async () => {
  const { queue } = setUp();
  for (let i = 0; i < 10; i++) queue.add(`report${i}`, "report");
  for (let i = 0; i < 70; i++) queue.add(`edit${i}`, "edit");
  queue.add("report9", "bulk");
  queue.add("edit0", "report");
  const keys: (string | null)[] = [];
  for (let i = 0; i < 80; i++) keys.push(await queue.take());
  expect(keys.indexOf("report9")).toBe(7);
  expect(keys.indexOf("report0")).toBe(63);
  expect(keys.slice(-8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((index) => `report${index}`));
  expect(queue.depth).toBe(0);
});

test("a key in the bulk that is edited is taken with the edits, once", async () => {
  const { queue } = setUp();
  queue.add("x", "bulk");
  queue.add("y", "bulk");
  queue.add("y", "edit");
  expect([await queue.take(), await queue.take()]).toEqual(["y", "x"]);
  expect(queue.depth).toBe(0);
});

test("delays: the earliest counts, one timer serves all", async () => {
  const { queue, clock } = setUp();
  for (let i = 0; i < 1_000; i++) queue.addAfter(`k${i}`, 10_000 - i);
  queue.addAfter("k0", 5_000);
  queue.addAfter("k0", 7_000);
  expect(clock.pendingTimers).toBe(1);
  await clock.advance(4_999);
  expect(queue.depth).toBe(0);
  await clock.advance(1);
  expect(queue.depth).toBe(1);
  expect(await queue.take()).toBe("k0");
  await clock.advance(5_000);
  expect(queue.depth).toBe(999);
});

test("failures double the delay up to the bound; forget begins anew", () => {
  const { queue } = setUp();
  const delays = Array.from({ length: 15 }, () => queue.addRateLimited("a"));
  for (const [i, delay] of delays.entries()) {
    const base = 1_000 * 2 ** i;
    expect(delay).toBeGreaterThanOrEqual(Math.min(base, 600_000));
    expect(delay).toBeLessThanOrEqual(Math.min(base * 1.5, 600_000));
  }
  queue.forget("a");
  expect(queue.addRateLimited("a")).toBeLessThanOrEqual(1_500);
});

test("shut down with drain: what waits is worked on, what is added is not, takers get null", async () => {
  const { queue, clock } = setUp();
  queue.add("a");
  queue.add("b");
  queue.addAfter("later", 10);
  await queue.take();
  let finished = false;
  void queue.shutDown({ drain: true }).then(() => {
    finished = true;
  });
  queue.add("c");
  expect(await queue.take()).toBe("b");
  const idle = queue.take();
  queue.done("a");
  await clock.settle();
  expect(finished).toBe(false);
  queue.done("b");
  await clock.settle();
  expect([finished, await idle, clock.pendingTimers]).toEqual([true, null, 0]);
});

test("shut down without drain drops what waits and lets the running finish", async () => {
  const { queue, clock } = setUp();
  queue.add("a");
  queue.add("b");
  await queue.take();
  let finished = false;
  void queue.shutDown({ drain: false }).then(() => {
    finished = true;
  });
  await clock.settle();
  expect([finished, await queue.take()]).toEqual([false, null]);
  queue.done("a");
  await clock.settle();
  expect(finished).toBe(true);
});
