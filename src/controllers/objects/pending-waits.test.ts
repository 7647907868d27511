import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { PendingWaits } from "./pending-waits.ts";

function started() {
  const clock = new VirtualClock();
  const called: string[] = [];
  return { clock, called, waits: new PendingWaits(clock, (key) => called.push(key)) };
}

test("who still waits after ten seconds is called once, and has no more to wait", async () => {
  const { clock, called, waits } = started();
  expect(waits.waitMs("default/one")).toBe(10_000);
  await clock.advance(4_000);
  expect([waits.waitMs("default/one"), waits.waitMs("default/two")]).toEqual([6_000, 10_000]);
  await clock.advance(6_000);
  expect([called, waits.waitMs("default/one")]).toEqual([["default/one"], 0]);
  await clock.advance(60_000);
  expect(called).toEqual(["default/one", "default/two"]);
});

test("who waits no more is not called, and begins anew the next time", async () => {
  const { clock, called, waits } = started();
  for (const key of ["default/one", "default/two"]) waits.waitMs(key);
  await clock.advance(5_000);
  waits.ended("default/one");
  await clock.advance(5_000);
  expect(called).toEqual(["default/two"]);
  expect(waits.waitMs("default/one")).toBe(10_000);
  await clock.advance(10_000);
  expect(called).toEqual(["default/two", "default/one"]);
});

test("nobody is called after the stop", async () => {
  const { clock, called, waits } = started();
  waits.waitMs("default/one");
  waits.stop();
  await clock.advance(60_000);
  expect(called).toEqual([]);
});
