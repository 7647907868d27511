import { expect, test } from "vitest";
import { VirtualClock } from "../../../../test/support/ports/virtual-clock.ts";
import type { Random } from "../ports/random.ts";
import { BackOff, type BackOffRange, backOffMs, KeyedBackOff } from "./back-off.ts";

const random = (value: number): Random => ({ next: () => value }) as Random;
const RANGE: BackOffRange = { firstMs: 1_000, maxMs: 8_000 };
const AROUND: BackOffRange = { ...RANGE, jitter: "around" };

test.each([
  ["above the delay, from it", RANGE, 0, [1_000, 2_000, 4_000, 8_000, 8_000]],
  ["above the delay, within the greatest", RANGE, 1, [1_500, 3_000, 6_000, 8_000, 8_000]],
  ["around the delay, from three quarters", AROUND, 0, [750, 1_500, 3_000, 6_000, 6_000]],
  ["around the delay, beyond the greatest", AROUND, 1, [1_250, 2_500, 5_000, 10_000, 10_000]],
])("delays double with jitter %s", (_, range, drawn, delays) => {
  const backOff = new BackOff(range, random(drawn));
  expect(delays.map(() => backOff.next())).toEqual(delays);
  expect(backOff.failures).toBe(delays.length);
  backOff.reset();
  expect([backOff.failures, backOffMs(range, 0, random(drawn))]).toEqual([0, delays[0]]);
});

test("S20: a key that is excused waits only for what the server asked for", async () => {
  const clock = new VirtualClock();
  const keys = new KeyedBackOff(clock, random(0.5), RANGE);
  keys.failed("a");
  keys.failed("a", 5_000);
  expect([keys.failures("a"), keys.waitMs("a"), keys.waitMs("b")]).toEqual([2, 5_000, 0]);
  keys.excuse("a");
  expect([keys.failures("a"), keys.waitMs("a")]).toEqual([0, 5_000]);
  await clock.advance(5_000);
  keys.excuse("a");
  expect(keys.waitMs("a")).toBe(0);
  keys.failed("a");
  keys.clear("a");
  expect(keys.waitMs("a")).toBe(0);
});
