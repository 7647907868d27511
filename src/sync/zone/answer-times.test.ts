/** The time to answer (zonekeeper_answer_seconds): what begins it, ends it, and does not count. */
import { expect, test } from "vitest";
import { MemoryMetrics } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { nameOf } from "../../../test/support/values/zone-text.ts";
import { APEX, engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { AnswerTimes } from "./answer-times.ts";

const name = nameOf("www");

test("a change is answered once, and several are measured from the first one", async () => {
  const clock = new VirtualClock();
  const times = new AnswerTimes(clock);
  times.edited(name);
  await clock.advance(1_000);
  times.edited(name);
  times.taken(name);
  await clock.advance(500);
  expect([times.answered(name), times.answered(name)]).toEqual([1_500, null]);
});

test("a change that comes while a call is under way waits for the answer after it", async () => {
  const clock = new VirtualClock();
  const times = new AnswerTimes(clock);
  times.edited(name);
  times.taken(name);
  await clock.advance(2_000);
  times.edited(name);
  await clock.advance(1_000);
  expect(times.answered(name)).toBe(3_000);
  times.taken(name);
  await clock.advance(250);
  expect(times.answered(name)).toBe(1_250);
});

test("what is in sync or held meanwhile is not measured", () => {
  const times = new AnswerTimes(new VirtualClock());
  times.edited(name);
  times.taken(name);
  times.dropped(name, true);
  expect(times.answered(name)).toBeNull();
});

test("the engine observes each confirmed change of an object, and nothing else", async () => {
  const metrics = new MemoryMetrics();
  const { clock, engine, zoneInput } = engineWorld({ engine: { metrics } });
  engine.openZone(zoneInput);
  await clock.advance(1_000);
  const observed = () => metrics.value("zonekeeper_answer_seconds", { zone: APEX });
  const contribute = async (address: string, waitMs: number) => {
    engine.contribute(KEY, entry("www", [address]));
    await clock.advance(waitMs);
  };
  await contribute("192.0.2.1", 10_000);
  expect(observed()).toBe(1);
  await contribute("192.0.2.1", 700_000);
  expect(observed(), "neither an equal contribution nor a full pass").toBe(1);
  await contribute("192.0.2.2", 10_000);
  expect(observed()).toBe(2);
  await engine.stop();
});
