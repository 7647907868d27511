import { expect, test } from "vitest";
import { MapState, memoryFuse } from "../../../test/support/values/fuse.ts";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { FUSE_LIMITS } from "../../model/fuse-limits.ts";

const NAMES = Array.from({ length: 20 }, (_, index) => `s${index}.example.org`);

/** Twenty Services with a record each; the fuse has its usual limits. */
async function published(): Promise<SpineWorld> {
  const state = new MapState();
  const world: SpineWorld = new SpineWorld(["example.org"], {
    openGuard: ({ zone: { name } }) =>
      memoryFuse({ key: name, zone: name, state, clock: world.clock, limits: FUSE_LIMITS }),
  });
  world.start();
  world.provider();
  await world.pass();
  for (const [index, name] of NAMES.entries()) world.service(`s${index}`, name, "192.0.2.1");
  await world.pass(10_000);
  expect(world.zone()).toHaveLength(NAMES.length);
  return world;
}

test("Z-16 a person takes names off five Services one after the other, and nothing is held", async () => {
  const world = await published();
  for (const index of [0, 1, 2, 3, 4]) {
    world.service(`s${index}`, "", "192.0.2.1");
    await world.pass(5_000);
  }
  await world.pass(20_000);
  expect(world.zone()).toHaveLength(NAMES.length - 5);
});

test("Z-16 what was taken off while nobody watched stays a weak removal", async () => {
  const world = await published();
  await world.stop();
  for (const index of [0, 1, 2, 3, 4]) world.service(`s${index}`, "", "192.0.2.1");
  world.start();
  await world.pass(60_000);
  expect(world.zone()).toHaveLength(NAMES.length);
});
