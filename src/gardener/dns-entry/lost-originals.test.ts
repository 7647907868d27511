import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { MapState, memoryFuse } from "../../../test/support/values/fuse.ts";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { FUSE_LIMITS } from "../../model/fuse-limits.ts";

const SERVICES = Array.from({ length: 20 }, (_, index) => `s${index}`);
/** Fewer than the strong limit of a zone, more than the weak one. */
const LOST = SERVICES.slice(0, 8);

/** Services of one cluster with DNSEntries in another; the fuse has its usual limits. */
async function published(longName = ""): Promise<SpineWorld> {
  const state = new MapState();
  const world: SpineWorld = new SpineWorld(["example.org"], {
    sourcesApart: true,
    openGuard: ({ zone: { name } }) =>
      memoryFuse({ key: name, zone: name, state, clock: world.clock, limits: FUSE_LIMITS }),
  });
  world.start();
  world.provider();
  await world.pass();
  for (const name of SERVICES)
    world.service(`${name}${longName}`, `${name}.example.org`, "192.0.2.1");
  await world.pass(10_000);
  expect(world.zone()).toHaveLength(SERVICES.length);
  return world;
}

function remove(world: SpineWorld, names: readonly string[]): void {
  for (const name of names) world.sources.delete(SERVICE, "default", name);
}

test.each([LOST, SERVICES])(
  "Z-16 Services of another cluster that vanish while we are down are weak removals",
  async (...lost) => {
    const world = await published();
    await world.stop();
    remove(world, lost);
    world.start();
    await world.pass(60_000);
    expect(world.zone().length).toBeGreaterThanOrEqual(SERVICES.length - 3);
  },
);

test("Z-16 Services that a new list lacks are weak removals, though we delete their entries", async () => {
  const world = await published();
  world.sources.breakWatch(SERVICE);
  remove(world, LOST);
  world.sources.relist(SERVICE);
  await world.pass(60_000);
  expect(world.zone().length).toBeGreaterThanOrEqual(SERVICES.length - 3);
});

// Markers have long names as hashes only.
test.each(["", `-${"long".repeat(60)}`])(
  "Z-16 Services of another cluster whose end is watched are ordinary removals",
  async (longName) => {
    const world = await published(longName);
    remove(
      world,
      LOST.map((name) => `${name}${longName}`),
    );
    await world.pass(60_000);
    expect(world.zone()).toHaveLength(SERVICES.length - LOST.length);
  },
);
