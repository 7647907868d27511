import { expect, test } from "vitest";
import { NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";

/** An open zone in which so many names are contributed at once. */
async function burst(count: number) {
  const world = engineWorld();
  world.engine.openZone(world.zoneInput);
  await world.clock.advance(1_000);
  for (let index = 0; index < count; index++)
    world.engine.contribute(KEY, entry(`n${index}`, ["192.0.2.1"]));
  const published = (): number =>
    new Set(
      world.reports
        .filter(({ names: [one] }) => one?.state === "published")
        .map(({ object }) => object.name),
    ).size;
  return { ...world, published };
}

test("reports of few names come at once, those of a burst when all is written", async () => {
  const few = await burst(3);
  await few.clock.advance(20);
  expect(few.published()).toBe(3);
  const many = await burst(40);
  await many.clock.advance(20);
  expect([many.values("n39"), many.published()]).toEqual([["192.0.2.1"], 0]);
  await many.clock.advance(1_000);
  expect(many.published()).toBe(40);
});

test("a burst that comes one by one is reported when nothing more comes", async () => {
  const { clock, engine, published, values } = await burst(0);
  for (let index = 0; index < 200; index++) {
    engine.contribute(KEY, entry(`n${index}`, ["192.0.2.1"]));
    await clock.advance(10);
  }
  expect(values("n150")).toEqual(["192.0.2.1"]);
  expect(published()).toBeLessThan(50);
  await clock.advance(1_000);
  expect(published()).toBe(200);
});

test("a zone that is never at rest reports a burst after five seconds", async () => {
  const { clock, engine, published } = await burst(40);
  for (let ms = 0; ms < 5_500; ms += 100) {
    if (ms === 4_000) expect(published()).toBe(0);
    for (let index = 0; index < 10; index++)
      engine.contribute(KEY, entry(`more${ms}-${index}`, ["192.0.2.1"]));
    await clock.advance(100);
  }
  expect(published()).toBeGreaterThanOrEqual(40);
});

test("a zone that cannot be written reports its burst, too", async () => {
  const { clock, account, reports } = await burst(40);
  account.breakWith({ ...NO_FAULTS, apply: () => [{ kind: "down" }] });
  await clock.advance(30_000);
  expect(new Set(reports.map(({ object }) => object.name)).size).toBe(40);
});

test("a zone that is closed reports nothing of its burst any more", async () => {
  const { clock, engine, reports } = await burst(40);
  await clock.advance(20);
  await engine.closeZone(KEY);
  const before = reports.length;
  await clock.advance(60_000);
  expect([reports.length, clock.pendingTimers]).toEqual([before, 0]);
});
