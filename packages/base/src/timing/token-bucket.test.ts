import { expect, test } from "vitest";
import { VirtualClock } from "../../../../test/support/ports/virtual-clock.ts";
import { TokenBucket } from "./token-bucket.ts";

test("a burst goes at once, then a token comes back each 200 ms", async () => {
  const clock = new VirtualClock();
  const bucket = new TokenBucket(clock, { burst: 2, perSecond: 5 });
  expect([bucket.reserve(), bucket.reserve(), bucket.waitMs()]).toEqual([0, 0, 200]);
  await clock.advance(199);
  expect(bucket.waitMs()).toBeGreaterThan(0);
  await clock.advance(1);
  expect(bucket.waitMs()).toBe(0);
});

test("those who reserve in advance are served in the order in which they asked", async () => {
  const clock = new VirtualClock();
  const bucket = new TokenBucket(clock, { burst: 1, perSecond: 10 });
  const served: number[] = [];
  for (const caller of [1, 2, 3]) void bucket.take().then(() => served.push(caller));
  await clock.advance(100);
  expect(served).toEqual([1, 2]);
  await clock.advance(100);
  expect(served).toEqual([1, 2, 3]);
});

test("a bucket without a rate never makes anybody wait", () => {
  const bucket = new TokenBucket(new VirtualClock(), null);
  expect([bucket.reserve(), bucket.reserve(), bucket.waitMs()]).toEqual([0, 0, 0]);
});
