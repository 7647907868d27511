/**
 * A server that was away takes a watch and then forgets it: found out within seconds, not minutes.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ClusterWorld } from "../../../../../test/support/worlds/cluster-world.ts";
import { SERVICE } from "../../objects/kinds.ts";

let world: ClusterWorld;
beforeEach(async () => {
  world = new ClusterWorld();
  world.server.streamsLists = false;
  world.server.put(SERVICE, "default", { name: "a", spec: {} });
  await world.watch();
  world.server.endWatches(
    new OperationError({ code: "ConnectionLost", message: "reset", retry: "backoff" }),
  );
  await world.clock.advance(2_000);
  world.news();
});
afterEach(() => world.cache.stop());

test("the first watch after trouble is opened again soon, so that a silent watch does not hide changes for long", async () => {
  world.server.isolateWatches();
  world.server.put(SERVICE, "default", { name: "b", spec: {} });
  await world.clock.advance(2_000);
  expect(world.news()).toEqual([]);
  await world.clock.advance(10_000);
  expect(world.news(), "it was live all the time").toEqual(["added default/b"]);
});

test("a few times, ever more rarely, and without a list", async () => {
  const minutes = async (count: number): Promise<number> => {
    for (let minute = 0; minute < count; minute++) {
      await world.clock.advance(60_000);
      world.server.bookmark();
    }
    return world.http.asked(/watch=true/).length;
  };
  const lists = world.http.asked(/limit=/).length;
  // One that was to stream the list, the first, five that end after 10 to 160 s, and one that
  // stays.
  expect(await minutes(7)).toBe(8);
  expect(await minutes(4)).toBe(8);
  expect(world.http.asked(/limit=/)).toHaveLength(lists);
  expect(world.news()).toEqual([]);
});
