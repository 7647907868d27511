/**
 * The virtual clock keeps the Clock contract: everything that is tested in virtual time stands on
 * it.
 */
import { sleep } from "@zonekeeper/base/ports/clock";
import { expect, test } from "vitest";
import { VirtualClock } from "../support/ports/virtual-clock.ts";

test("timers run in order of time, then of setting, and see their own time", async () => {
  const clock = new VirtualClock(1_000);
  const ran: string[] = [];
  clock.setTimer(20, () => ran.push(`b@${clock.monotonicMs()}`));
  clock.setTimer(10, () => ran.push(`a@${clock.monotonicMs()}`));
  clock.setTimer(20, () => ran.push(`c@${clock.nowMs()}`));
  await clock.advance(19);
  expect(ran).toEqual(["a@10"]);
  await clock.advance(1);
  expect(ran).toEqual(["a@10", "b@20", "c@1020"]);
});

test("a cancelled timer does not run", async () => {
  const clock = new VirtualClock();
  let ran = 0;
  const timer = clock.setTimer(5, () => ran++);
  timer.cancel();
  timer.cancel();
  await clock.advance(10);
  expect([ran, clock.pendingTimers]).toEqual([0, 0]);
});

test("a chain of sleeps runs within one advance", async () => {
  const clock = new VirtualClock();
  const seen: number[] = [];
  const chain = async (): Promise<void> => {
    for (let i = 0; i < 3; i++) {
      await sleep(clock, 100);
      seen.push(clock.monotonicMs());
    }
  };
  void chain();
  await clock.advance(1_000);
  expect(seen).toEqual([100, 200, 300]);
});

test("wall time jumps without monotonic time", async () => {
  const clock = new VirtualClock(5_000);
  clock.jumpWallMs(-4_000);
  await clock.advance(10);
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1_010, 10]);
});

test("a pause lets timers see the time after it", async () => {
  const clock = new VirtualClock();
  let seenMs = 0;
  clock.setTimer(10, () => {
    seenMs = clock.monotonicMs();
  });
  await clock.pause(60_000);
  expect(seenMs).toBe(60_000);
});

test("advanceUntil stops where the condition holds and complains where it cannot", async () => {
  const clock = new VirtualClock();
  let done = false;
  clock.setTimer(700, () => {
    done = true;
  });
  await clock.advanceUntil(() => done);
  expect(clock.monotonicMs()).toBe(700);
  await expect(clock.advanceUntil(() => false)).rejects.toThrow("nothing is left");
});
