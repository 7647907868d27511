/**
 * What a person's edits of source objects take away, with the usual limits of the fuse. For
 * mutants: each rule that tells an edit from something else is dropped once.
 */

import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { FUSE_LIMITS } from "../../../src/model/fuse-limits.ts";
import { MapState, memoryFuse } from "../../support/values/fuse.ts";
import { SpineWorld } from "../../support/worlds/spine-world.ts";

const SERVICES = 20;
const EDITED = [0, 1, 2, 3, 4];

/** Plays each story; answers what is wrong. */
export async function editTroubles(): Promise<readonly string[]> {
  const watched = await namesLeft(async (world) => {
    for (const index of EDITED) {
      world.service(`s${index}`, "", "192.0.2.1");
      await world.pass(5_000);
    }
  });
  const unwatched = await namesLeft(async (world) => {
    await world.stop();
    for (const index of EDITED) world.service(`s${index}`, "", "192.0.2.1");
    world.start();
  });
  const lost = await namesLeft(async (world) => {
    await world.stop();
    for (const index of EDITED) world.sources.delete(SERVICE, "default", `s${index}`);
    world.start();
  }, true);
  const held = watched - (SERVICES - EDITED.length);
  return [
    ...(held === 0 ? [] : [`Z-16: watched: ${held} edits are held`]),
    ...(unwatched >= SERVICES - 3 ? [] : [`Z-16: unwatched: ${SERVICES - unwatched} names went`]),
    ...(lost >= SERVICES - 3 ? [] : [`Z-16: lost: ${SERVICES - lost} names went`]),
  ];
}

/** A record for each of the Services; answers how many are left after the edits. */
async function namesLeft(
  edit: (world: SpineWorld) => Promise<void>,
  sourcesApart = false,
): Promise<number> {
  const state = new MapState();
  const world: SpineWorld = new SpineWorld(["example.org"], {
    sourcesApart,
    openGuard: ({ zone: { name } }) =>
      memoryFuse({ key: name, zone: name, state, clock: world.clock, limits: FUSE_LIMITS }),
  });
  world.start();
  world.provider();
  await world.pass();
  for (let index = 0; index < SERVICES; index += 1)
    world.service(`s${index}`, `s${index}.example.org`, "192.0.2.1");
  await world.pass(10_000);
  await edit(world);
  await world.pass(30_000);
  const left = world.zone().length;
  await world.stop();
  return left;
}
