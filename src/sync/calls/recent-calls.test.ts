import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { RECENT_CALLS_MAX, RecentCalls } from "./recent-calls.ts";

test("the last write of a name is known; of many the oldest are forgotten", async () => {
  const clock = new VirtualClock(1_000);
  const calls = new RecentCalls(clock);
  calls.applied("a");
  calls.applied("b");
  await clock.advance(500);
  calls.applied("a");
  expect([calls.at("a"), calls.at("b"), calls.at("c")]).toEqual([1_500, 1_000, null]);
  for (let n = 0; n < RECENT_CALLS_MAX - 1; n++) calls.applied(`n${n}`);
  expect([calls.at("a"), calls.at("b")]).toEqual([1_500, null]);
});
